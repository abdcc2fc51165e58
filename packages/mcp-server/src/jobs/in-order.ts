/** Work on one thing goes one after another, whatever became of the work before. */
export class InOrder {
  /** The last work on each thing that is under way. */
  readonly #last = new Map<string, Promise<unknown>>();

  async do<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id);
    const done = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#last.set(id, done);
    try {
      return await done;
    } finally {
      if (this.#last.get(id) === done) this.#last.delete(id);
    }
  }

  /** Resolves when what is under way now is over: all of it, or what is done on one thing. */
  async settled(id?: string): Promise<void> {
    await Promise.allSettled(id === undefined ? this.#last.values() : [this.#last.get(id)]);
  }
}
