import type { Socket } from "node:net";
import { Lines } from "./lines.js";
import type { Child } from "./spawn.js";

/** A text of V8 has room for no more than twice as much. */
const LONGEST_LINE = 256 * 1024 * 1024;
/** What the CLI says of itself is longer than some runs may be. */
const LEAST_LINE = 64 * 1024;

export interface PoolPipesOptions {
  /** How long a line may be at most, in UTF-16 units; every one may have 64 KiB of them. */
  maxLineLength: number;
  onLine(line: string): void;
  /** It writes one that is longer, which begins so. */
  onTooLong(beginning: string): void;
}

/** What goes to and fro between our program and a process that serves several runs. */
export class PoolPipes {
  readonly #child: Child;

  constructor(child: Child, { maxLineLength, onLine, onTooLong }: PoolPipesOptions) {
    this.#child = child;
    const lines = new Lines(onLine, Math.min(Math.max(maxLineLength, LEAST_LINE), LONGEST_LINE), onTooLong);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => lines.push(text));
    child.stdout?.on("error", () => {});
    child.guard.resume();
  }

  write(line: string): void {
    this.#child.stdin.write(line);
  }

  /** Asks whether it still works. */
  ask(): void {
    this.#child.guard.write("?");
  }

  /** Our program does not end as long as the process lives. */
  ref(): void {
    for (const part of this.#parts()) part.ref();
  }

  unref(): void {
    for (const part of this.#parts()) part.unref();
  }

  destroy(): void {
    const { guard, stdin, stdout } = this.#child;
    for (const part of [guard, stdin, stdout]) part?.destroy();
  }

  /** The pipes are sockets, whatever their type says. */
  #parts(): { ref(): void; unref(): void }[] {
    const { stdin, stdout, guard } = this.#child;
    return [this.#child, stdin as unknown as Socket, stdout as unknown as Socket, guard as unknown as Socket];
  }
}
