import { findCli, type RunnerError, readSignIn } from "@x/gemini-runner";
import type { Config } from "../host/config.js";
import type { Io } from "../host/io.js";
import type { Engine, EngineProblem } from "./engine.js";

/** What is found is true for so long: whoever balances load asks often. */
const TRUE_FOR_MS = 3_000;

/** What keeps a server from working. */
export interface Problem {
  /** For anybody who asks: it names no machine and no file. */
  short: string;
  /** For whoever runs the server. */
  text: string;
}

type Check = () => Promise<Problem | undefined>;

/** Looks for what keeps a server from working; the same answer for all who ask within some seconds. */
export function readiness(checks: readonly Check[]): () => Promise<Problem[]> {
  let known: { atMs: number; problems: Promise<Problem[]> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (known === undefined || nowMs - known.atMs > TRUE_FOR_MS) {
      const problems = Promise.all(checks.map((check) => check())).then((found) =>
        found.filter((problem) => problem !== undefined),
      );
      known = { atMs: nowMs, problems };
    }
    return known.problems;
  };
}

const OF_QUEUE: Readonly<Record<EngineProblem["kind"], string>> = {
  away: "The queue cannot be reached",
  unwritable: "The queue takes no writes",
  setup: "The queue is not set up as it must be",
};

/** Whether researches can be kept. */
export function queueCheck({ problem }: Pick<Engine, "problem">): Check {
  return async () => {
    const found = await problem();
    return found && { short: OF_QUEUE[found.kind], text: found.text };
  };
}

/** Whether those who may come in can. */
export function accessCheck({ problem }: { problem(): Promise<string | undefined> }): Check {
  return async () => {
    const text = await problem();
    return text === undefined ? undefined : { short: "Who may come in cannot be found out", text };
  };
}

const NOT_SIGNED_IN = "The Gemini CLI is not signed in";
/** By the runner's codes and reasons. */
const OF_CLI: Readonly<Record<string, string>> = {
  CLI_NOT_FOUND: "The Gemini CLI was not found",
  "unsupported-version": "The Gemini CLI is too old",
};

/** Whether researches can be done here. */
export function cliCheck({ cliPath }: Config, { env, host }: Pick<Io, "env" | "host">): Check {
  return async () => {
    try {
      const cli = await findCli({ command: cliPath, env, platform: host.platform });
      // Of another program nobody knows how it signs in.
      if (cli.version === undefined) return undefined;
      const { auth, codeAssist, env: kept } = await readSignIn(env);
      const usesVertex = { ...env, ...kept }["GOOGLE_GENAI_USE_VERTEXAI"] === "true";
      const isSignedIn = auth.selectedType !== undefined || codeAssist || usesVertex;
      return isSignedIn ? undefined : { short: NOT_SIGNED_IN, text: NOT_SIGNED_IN };
    } catch (error) {
      const { code, reason, message } = error as Partial<RunnerError> & Error;
      return { short: OF_CLI[reason ?? code ?? ""] ?? "The Gemini CLI cannot be used", text: message };
    }
  };
}
