import type { CliRun } from "../process/cli-run.js";

/** The runs of the CLI that this runner has, from before their start to after their end. */
export class LiveRuns {
  readonly #starting = new Set<Promise<CliRun>>();
  readonly #onWarning: (message: string) => void;

  /** `onWarning` hears of what could not be removed. */
  constructor(onWarning: (message: string) => void) {
    this.#onWarning = onWarning;
  }

  add(starting: Promise<CliRun>): void {
    this.#starting.add(starting);
  }

  delete(starting: Promise<CliRun>): void {
    this.#starting.delete(starting);
  }

  /** Ends one, whatever happened: nothing of it is left when this resolves. */
  async end(cli: CliRun): Promise<void> {
    cli.stop();
    try {
      await cli.gone();
    } catch (error) {
      this.#onWarning(`The folder of a run could not be removed: ${String(error)}`);
    }
  }

  async endAll(): Promise<void> {
    const ended = [...this.#starting].map((starting) =>
      starting.then(
        (cli) => this.end(cli),
        () => {},
      ),
    );
    await Promise.all(ended);
  }
}
