import { CommanderError } from "commander";
import { EXIT, exitCodeOf, exitCodeOfSignal } from "../host/exit-codes.js";
import type { Io } from "../host/io.js";
import { createProgram } from "./program.js";
import { failureOf } from "./terminal/fail.js";
import { failureText } from "./terminal/failure.js";
import { screenOf } from "./terminal/paint.js";

/** Runs one command of the terminal. Gives the exit code. */
export async function main(argv: string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = createProgram({
    io,
    exitWith(given) {
      code = given;
    },
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // Whoever stops a command before anything has begun knows it.
    if (io.signal.aborted && error === io.signal.reason) return exitCodeOfSignal(error);
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const failure = failureOf(error, io);
    io.stderr.write(failureText(failure, screenOf(io.stderr, io.env)));
    return exitCodeOf(failure.code);
  }
}
