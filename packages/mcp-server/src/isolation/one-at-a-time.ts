/** A turn that one has at a time, in the order of asking. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  /** Resolves with the way to give the turn back, which may be called more than once. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}
