import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SignIn } from "@x/gemini-runner";
import type { Io } from "../../host/io.js";
import { toFailure } from "../../jobs/failure.js";
import type { Check } from "./check.js";
import { isPlaceholder } from "./placeholder.js";

/** Names of the CLI's files that hold a login. */
export async function cachedLogins({ env, host }: Pick<Io, "env" | "host">): Promise<string[]> {
  const { GEMINI_CLI_HOME } = env;
  const names = await readdir(join(GEMINI_CLI_HOME || host.homeDir, ".gemini")).catch(() => [] as string[]);
  return names.filter((name) => ["oauth_creds.json", "gemini-credentials.json"].includes(name));
}

const SIGN_IN_FIX = toFailure(Object.assign(new Error(), { code: "AUTH_REQUIRED" })).details ?? "";

/** Whether somebody is signed in, and how. */
export function signInCheck(signIn: SignIn, io: Pick<Io, "env" | "command">, logins: readonly string[]): Check {
  const env = { ...io.env, ...signIn.env };
  const { selectedType, enforcedType } = signIn.auth;
  const type = selectedType ?? impliedType(env);
  if (enforcedType !== undefined && type !== enforcedType)
    return failed(`The CLI's settings allow ${enforcedType} alone, and the sign-in is ${type ?? "missing"}.`);
  const { GEMINI_API_KEY, GOOGLE_API_KEY } = env;
  const placeholder = Object.entries({ GEMINI_API_KEY, GOOGLE_API_KEY }).find(([, value]) => isPlaceholder(value));
  if (placeholder !== undefined && (type === "gemini-api-key" || type === "vertex-ai"))
    return failed(`${placeholder[0]} is the placeholder of an example, not a key.`);
  switch (type) {
    case undefined:
      return failed("None: no API key, no Vertex AI project and no login was found.");
    case "gemini-api-key":
      return byApiKey(env, io, logins);
    case "vertex-ai":
      return byVertexAi(env);
    case "oauth-personal":
      return byLogin(env, io, logins);
    default:
      return ok(type);
  }
}

/** What the CLI takes where its settings name nothing. */
function impliedType({ GOOGLE_GENAI_USE_GCA, GOOGLE_GENAI_USE_VERTEXAI }: Io["env"]): string | undefined {
  if (GOOGLE_GENAI_USE_GCA === "true") return "oauth-personal";
  return GOOGLE_GENAI_USE_VERTEXAI === "true" ? "vertex-ai" : undefined;
}

function byApiKey({ GEMINI_API_KEY }: Io["env"], io: Pick<Io, "env" | "command">, logins: readonly string[]): Check {
  if (GEMINI_API_KEY) return ok(`API key from ${io.env["GEMINI_API_KEY"] ? "GEMINI_API_KEY" : "the CLI's .env file"}`);
  return logins.includes("gemini-credentials.json")
    ? warning("API key that the CLI keeps itself", `\`${io.command} doctor --live\` shows whether it works.`)
    : failed("The CLI is set to use an API key, and GEMINI_API_KEY is not set.");
}

function byVertexAi({ GOOGLE_CLOUD_PROJECT, GOOGLE_API_KEY }: Io["env"]): Check {
  return GOOGLE_CLOUD_PROJECT || GOOGLE_API_KEY
    ? ok(`Vertex AI, ${GOOGLE_CLOUD_PROJECT ? `project ${GOOGLE_CLOUD_PROJECT}` : "with an API key"}`)
    : failed("Vertex AI is chosen, and neither GOOGLE_CLOUD_PROJECT nor GOOGLE_API_KEY is set.");
}

function byLogin(
  { GOOGLE_GENAI_USE_GCA }: Io["env"],
  { command }: Pick<Io, "command">,
  logins: readonly string[],
): Check {
  if (logins.length === 0 && GOOGLE_GENAI_USE_GCA !== "true")
    return failed("The CLI is set to use a Google login, and nobody is logged in.");
  return warning(
    "Google login",
    `Since 18 June 2026 it works with a Gemini Code Assist Standard or Enterprise licence alone; individual accounts are refused. \`${command} doctor --live\` shows whether yours works. ${SIGN_IN_FIX}`,
  );
}

const NAME = "Sign-in";

function ok(summary: string): Check {
  return { name: NAME, status: "ok", summary };
}

function warning(summary: string, fix: string): Check {
  return { name: NAME, status: "warning", summary, fix };
}

function failed(summary: string): Check {
  return { name: NAME, status: "failed", summary, fix: SIGN_IN_FIX, code: "AUTH_REQUIRED" };
}

/** What is not the Gemini CLI signs in by itself, if at all. */
export function ofAnotherProgram({ name, status, summary, fix }: Check): Check {
  if (status !== "failed") return { name, status, summary, ...(fix === undefined ? {} : { fix }) };
  const own = "The program that is set is not known to be the Gemini CLI, and may need none.";
  return { name, status: "warning", summary, fix: [own, fix].join("\n") };
}
