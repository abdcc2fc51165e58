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
export function signInCheck(
  signIn: SignIn,
  { env, command }: Pick<Io, "env" | "command">,
  logins: readonly string[],
): Check {
  const name = "Sign-in";
  const { GEMINI_API_KEY: keyInEnvironment } = env;
  const all = { ...env, ...signIn.env };
  const { GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_CLOUD_PROJECT, GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GENAI_USE_GCA } = all;
  const { selectedType, enforcedType } = signIn.auth;
  const type =
    selectedType ??
    (GOOGLE_GENAI_USE_GCA === "true"
      ? "oauth-personal"
      : GOOGLE_GENAI_USE_VERTEXAI === "true"
        ? "vertex-ai"
        : undefined);
  const failed = (summary: string): Check => ({
    name,
    status: "failed",
    summary,
    fix: SIGN_IN_FIX,
    code: "AUTH_REQUIRED",
  });
  if (enforcedType !== undefined && type !== enforcedType)
    return failed(`The CLI's settings allow ${enforcedType} alone, and the sign-in is ${type ?? "missing"}.`);
  const placeholder = Object.entries({ GEMINI_API_KEY, GOOGLE_API_KEY }).find(([, value]) => isPlaceholder(value));
  if (placeholder !== undefined && (type === "gemini-api-key" || type === "vertex-ai"))
    return failed(`${placeholder[0]} is the placeholder of an example, not a key.`);
  switch (type) {
    case undefined:
      return failed("None: no API key, no Vertex AI project and no login was found.");
    case "gemini-api-key":
      if (GEMINI_API_KEY)
        return {
          name,
          status: "ok",
          summary: `API key from ${keyInEnvironment ? "GEMINI_API_KEY" : "the CLI's .env file"}`,
        };
      return logins.includes("gemini-credentials.json")
        ? {
            name,
            status: "warning",
            summary: "API key that the CLI keeps itself",
            fix: `\`${command} doctor --live\` shows whether it works.`,
          }
        : failed("The CLI is set to use an API key, and GEMINI_API_KEY is not set.");
    case "vertex-ai":
      return GOOGLE_CLOUD_PROJECT || GOOGLE_API_KEY
        ? {
            name,
            status: "ok",
            summary: `Vertex AI, ${GOOGLE_CLOUD_PROJECT ? `project ${GOOGLE_CLOUD_PROJECT}` : "with an API key"}`,
          }
        : failed("Vertex AI is chosen, and neither GOOGLE_CLOUD_PROJECT nor GOOGLE_API_KEY is set.");
    case "oauth-personal":
      if (logins.length === 0 && GOOGLE_GENAI_USE_GCA !== "true")
        return failed("The CLI is set to use a Google login, and nobody is logged in.");
      return {
        name,
        status: "warning",
        summary: "Google login",
        fix: `Since 18 June 2026 it works with a Gemini Code Assist Standard or Enterprise licence alone; individual accounts are refused. \`${command} doctor --live\` shows whether yours works. ${SIGN_IN_FIX}`,
      };
    default:
      return { name, status: "ok", summary: type };
  }
}

/** What is not the Gemini CLI signs in by itself, if at all. */
export function ofAnotherProgram({ name, status, summary, fix }: Check): Check {
  if (status !== "failed") return { name, status, summary, ...(fix === undefined ? {} : { fix }) };
  const own = "The program that is set is not known to be the Gemini CLI, and may need none.";
  return { name, status: "warning", summary, fix: [own, fix].join("\n") };
}
