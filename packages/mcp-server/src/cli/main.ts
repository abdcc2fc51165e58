import type { Io } from "../io.js";

/** Gives the exit code. */
export async function main(argv: string[], io: Io): Promise<number> {
  io.stderr.write(`Unknown command: ${argv[0]}\n`);
  return 2;
}
