import { join } from "node:path";
import { readSignIn } from "@x/gemini-runner";
import { EXIT, exitCodeOf } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { jsonText } from "../../text/json-text.js";
import { layOut } from "../terminal/layout.js";
import { screenOf } from "../terminal/paint.js";
import { checkText } from "./check-text.js";
import { signInCheck, signInFiles } from "./sign-in-check.js";

/** Shows how the CLI is signed in, never a key, and the ways to sign in, the safest first. Gives the exit code. */
export async function showAuth({ json }: { json?: boolean }, io: Io): Promise<number> {
  const { stdout, env } = io;
  const signIn = await readSignIn(env);
  const { fix, ...found } = signInCheck(signIn, io, await signInFiles(signIn, io));
  // What to do where nothing works stands below.
  const check = { ...found, ...(found.status !== "failed" && fix !== undefined && { fix }) };
  const ways = waysOf(io);
  if (json) stdout.write(jsonText({ ...check, ways: ways.map(([name, how]) => ({ name, how })) }));
  else {
    const screen = screenOf(stdout, env);
    stdout.write(`${checkText(check, screen)}\n\n${screen.paint.bold("Ways to sign in, the safest first")}\n`);
    for (const [index, [name, how]] of ways.entries()) {
      const first = `${index + 1}. `;
      const pieces = [{ text: name, style: screen.paint.bold }, `: ${how}`];
      stdout.write(`${layOut(pieces, { columns: screen.columns, first }).join("\n")}\n`);
    }
    const works = `\nTo see whether it works: \`${io.command} doctor --live\``;
    stdout.write(`${layOut(works, { columns: screen.columns, wholeWords: true }).join("\n")}\n`);
  }
  return check.status === "failed" ? exitCodeOf(check.code ?? "AUTH_REQUIRED") : EXIT.ok;
}

function waysOf({ env, host }: Pick<Io, "env" | "host">): (readonly [string, string])[] {
  const { GEMINI_CLI_HOME } = env;
  const file = join(GEMINI_CLI_HOME || host.homeDir, ".gemini", ".env");
  const mine = host.platform === "win32" ? "" : ", and `chmod 600` on it";
  return [
    [
      "A key in Gemini CLI's own file",
      `make one at https://aistudio.google.com/apikey and put the line GEMINI_API_KEY=YOUR_KEY into ${file}${mine}. Gemini CLI and this program read it, whoever starts them; no client's or project's file has to hold it.`,
    ],
    [
      "Vertex AI",
      "run `gcloud auth application-default login`, and set GOOGLE_GENAI_USE_VERTEXAI=true, GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION in the same file.",
    ],
    [
      "Gemini Code Assist",
      "with a Standard or Enterprise licence, run `gemini` once and choose the login with Google. Individual accounts are refused since 18 June 2026.",
    ],
    [
      "A variable",
      "GEMINI_API_KEY in the environment of whatever starts this program. Programs of the desktop do not see those of your shell.",
    ],
  ];
}
