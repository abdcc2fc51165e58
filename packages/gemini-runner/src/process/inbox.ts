/** Carries what callbacks say to the one generator that reads it, in order. */
export class Inbox<T> {
  /** What was pushed since the last batch was taken: to shift a long list item by item would copy it each time. */
  #pushed: T[] = [];
  #batch: Iterator<T> = [].values();
  #wake: (() => void) | undefined;

  push(item: T): void {
    this.#pushed.push(item);
    this.#wake?.();
    this.#wake = undefined;
  }

  async next(): Promise<T> {
    for (;;) {
      const step = this.#batch.next();
      if (!step.done) return step.value;
      if (this.#pushed.length > 0) {
        this.#batch = this.#pushed.values();
        this.#pushed = [];
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
