/**
 * Reads a generator to its end: gives every event to `onEvent` and resolves with what the generator returns, which
 * `for await` would forget. Rejects with what the generator throws.
 *
 * @example
 * const { text } = await resultOf(runner.run({ prompt }), (event) => console.log(event.type));
 */
export async function resultOf<E, R>(run: AsyncGenerator<E, R, void>, onEvent?: (event: E) => void): Promise<R> {
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    onEvent?.(step.value);
  }
}
