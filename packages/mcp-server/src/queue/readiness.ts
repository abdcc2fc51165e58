import { findCli, readSignIn } from "@x/gemini-runner";
import type { Config } from "../host/config.js";
import type { Io } from "../host/io.js";

/** What is found is true for so long: whoever balances load asks often. */
const TRUE_FOR_MS = 3_000;

/** Looks for what keeps a server from working; the same answer for all who ask within some seconds. */
export function readiness(checks: readonly (() => Promise<string | undefined>)[]): () => Promise<string[]> {
  let known: { atMs: number; problems: Promise<string[]> } | undefined;
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

/** Whether researches can be done here. */
export function cliCheck(
  { cliPath }: Config,
  { env, host }: Pick<Io, "env" | "host">,
): () => Promise<string | undefined> {
  return async () => {
    try {
      const cli = await findCli({ command: cliPath, env, platform: host.platform });
      // Of another program nobody knows how it signs in.
      if (cli.version === undefined) return undefined;
      const { auth, codeAssist, env: kept } = await readSignIn(env);
      const usesVertex = { ...env, ...kept }["GOOGLE_GENAI_USE_VERTEXAI"] === "true";
      const isSignedIn = auth.selectedType !== undefined || codeAssist || usesVertex;
      return isSignedIn ? undefined : "The Gemini CLI is not signed in.";
    } catch (error) {
      return (error as Error).message;
    }
  };
}
