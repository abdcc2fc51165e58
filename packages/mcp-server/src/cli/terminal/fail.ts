import { exitCodeOf } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { type Failure, toFailure } from "../../jobs/failure.js";
import { withTexts } from "../../text/clean.js";
import { jsonText } from "../../text/json-text.js";
import { plainText } from "../../text/plain-text.js";
import { failureText } from "./failure.js";
import { screenOf } from "./paint.js";

/** Tells a failure, as JSON on stdout where that is wanted: for a program, which reads no Markdown. Gives the exit code. */
export function fail(failure: Failure, { json }: { json?: boolean }, { stdout, stderr, env }: Io): number {
  if (json) stdout.write(jsonText({ success: false, error: withTexts(failure, plainText) }));
  else stderr.write(failureText(failure, screenOf(stderr, env)));
  return exitCodeOf(failure.code);
}

/** What is told of an error of a command: settings are named by what says them. */
export function failureOf(error: unknown, io: Pick<Io, "env" | "host">): Failure {
  return toFailure(error, loadConfig(io).config.origins);
}
