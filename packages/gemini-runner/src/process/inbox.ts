/** How many items may wait before writers are asked to pause. */
const PLENTY = 1_000;

/** Carries what callbacks say to the one generator that reads it, in order. */
export class Inbox<T> {
  /** What was pushed since the last batch was taken. Batches, since removing items one by one would copy a long list each time. */
  #pushed: T[] = [];
  #batch: Iterator<T> = [].values();
  #waiting = 0;
  #wake: (() => void) | undefined;
  #paused: (() => void)[] = [];

  push(item: T): void {
    this.#pushed.push(item);
    this.#waiting++;
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Resolves with the next item, as soon as there is one. For one reader at a time. */
  async next(): Promise<T> {
    for (;;) {
      const step = this.#batch.next();
      if (!step.done) {
        this.#waiting--;
        if (this.#waiting < PLENTY) this.makeRoom();
        return step.value;
      }
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

  /** Resolves when there is room again. A writer that can pause waits for it. */
  async room(): Promise<void> {
    if (this.#waiting < PLENTY) return;
    await new Promise<void>((resolve) => {
      this.#paused.push(resolve);
    });
  }

  /** Lets all paused writers go on, for example when nobody reads any more. */
  makeRoom(): void {
    for (const resume of this.#paused.splice(0)) resume();
  }
}
