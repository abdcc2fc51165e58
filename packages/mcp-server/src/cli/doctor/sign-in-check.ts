import { access, readdir, stat } from "node:fs/promises";
import { dirname, join, posix, win32 } from "node:path";
import type { SignIn } from "@x/gemini-runner";
import type { Io } from "../../host/io.js";
import { inShell } from "../../host/quoted.js";
import { toFailure } from "../../jobs/failure.js";
import type { Check } from "./check.js";
import { isPlaceholder } from "./placeholder.js";

/** Names of the CLI's files that hold a login. */
async function cachedLogins({ env, host }: Pick<Io, "env" | "host">): Promise<string[]> {
  const { GEMINI_CLI_HOME } = env;
  const names = await readdir(join(GEMINI_CLI_HOME || host.homeDir, ".gemini")).catch(() => [] as string[]);
  return names.filter((name) => ["oauth_creds.json", "gemini-credentials.json"].includes(name));
}

/** Whether the files that Google's libraries read are there: the one that is named, else what `gcloud` writes. */
async function hasGoogleCredentials(signIn: SignIn, { env, host }: Pick<Io, "env" | "host">): Promise<boolean> {
  const { GOOGLE_APPLICATION_CREDENTIALS, APPDATA } = { ...env, ...signIn.env };
  const { join: joined } = host.platform === "win32" ? win32 : posix;
  const settings = host.platform === "win32" ? (APPDATA ?? host.homeDir) : joined(host.homeDir, ".config");
  const file = GOOGLE_APPLICATION_CREDENTIALS || joined(settings, "gcloud", "application_default_credentials.json");
  return access(file).then(
    () => true,
    () => false,
  );
}

/** What lies on the disk for a sign-in. */
export interface SignInFiles {
  /** Names of the CLI's files that hold a login. */
  logins: readonly string[];
  /** Whether there are credentials of Google Cloud. */
  credentials: boolean;
  /** The file of the key, if other users of the machine may read it. */
  exposed: string | undefined;
}

/** Others must be let into its folder and the one above, too. Windows has no such modes. */
async function exposedFile({ envFile }: SignIn, { host }: Pick<Io, "host">): Promise<string | undefined> {
  if (envFile === undefined || host.platform === "win32") return undefined;
  const folder = dirname(envFile);
  const found = await Promise.all([envFile, folder, dirname(folder)].map((path) => stat(path).catch(() => undefined)));
  const [file = 0, ...folders] = found.map((one) => one?.mode ?? 0);
  const mayRead = (read: number) => (file & read) !== 0 && folders.every((mode) => (mode & (read >> 2)) !== 0);
  return mayRead(0o040) || mayRead(0o004) ? envFile : undefined;
}

export async function signInFiles(signIn: SignIn, io: Pick<Io, "env" | "host">): Promise<SignInFiles> {
  const [logins, credentials, exposed] = await Promise.all([
    cachedLogins(io),
    hasGoogleCredentials(signIn, io),
    exposedFile(signIn, io),
  ]);
  return { logins, credentials, exposed };
}

const SIGN_IN_FIX = toFailure(Object.assign(new Error(), { code: "AUTH_REQUIRED" })).details ?? "";

/** Whether somebody is signed in, and how. */
export function signInCheck(signIn: SignIn, io: Pick<Io, "env" | "command">, files: SignInFiles): Check {
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
      return byApiKey(signIn, io, files);
    case "vertex-ai":
      return byVertexAi(signIn, io, files);
    case "oauth-personal":
      return byLogin(signIn, io, files);
    default:
      return ok(type);
  }
}

/** What the CLI takes where its settings name nothing. */
function impliedType({ GOOGLE_GENAI_USE_GCA, GOOGLE_GENAI_USE_VERTEXAI }: Io["env"]): string | undefined {
  if (GOOGLE_GENAI_USE_GCA === "true") return "oauth-personal";
  return GOOGLE_GENAI_USE_VERTEXAI === "true" ? "vertex-ai" : undefined;
}

function byApiKey(signIn: SignIn, io: Pick<Io, "env" | "command">, { logins, exposed }: SignInFiles): Check {
  const key = sourceOf("GEMINI_API_KEY", signIn, io);
  if (key !== undefined && exposed !== undefined && !io.env["GEMINI_API_KEY"])
    return warning(`API key: ${key}, which others on this machine may read`, `chmod 600 ${inShell(exposed)}`);
  if (key !== undefined) return ok(`API key: ${key}`);
  return logins.includes("gemini-credentials.json")
    ? warning("API key that the CLI keeps itself", `\`${io.command} doctor --live\` shows whether it works.`)
    : failed("The CLI is set to use an API key, and GEMINI_API_KEY is not set.");
}

function byVertexAi(signIn: SignIn, io: Pick<Io, "env">, { credentials }: SignInFiles): Check {
  const { GOOGLE_CLOUD_PROJECT, GOOGLE_API_KEY } = { ...io.env, ...signIn.env };
  const { said, fix } = choice("GOOGLE_GENAI_USE_VERTEXAI", signIn, io);
  if (!GOOGLE_CLOUD_PROJECT && !GOOGLE_API_KEY) {
    const none = failed(`Vertex AI${said}, and neither GOOGLE_CLOUD_PROJECT nor GOOGLE_API_KEY is set.`);
    return fix === "" ? none : { ...none, fix };
  }
  const how = GOOGLE_CLOUD_PROJECT ? `project ${GOOGLE_CLOUD_PROJECT}` : "with an API key";
  const missing = credentials || GOOGLE_API_KEY ? "" : NO_CREDENTIALS;
  const fixes = [fix, missing].filter((part) => part !== "").join("\n");
  const summary = `Vertex AI, ${how}${said}`;
  return fixes === "" ? ok(summary) : warning(summary, fixes);
}

const NO_CREDENTIALS =
  "No Google credentials were found: run `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS. A machine of Google Cloud needs none.";

function byLogin(signIn: SignIn, io: Pick<Io, "env" | "command">, { logins }: SignInFiles): Check {
  const { said, fix } = choice("GOOGLE_GENAI_USE_GCA", signIn, io);
  if (logins.length === 0 && !sourceOf("GOOGLE_GENAI_USE_GCA", signIn, io)) {
    const none = failed(`A Google login${said}, and nobody is logged in.`);
    return fix === "" ? none : { ...none, fix };
  }
  const own = `Since 18 June 2026 it works with a Gemini Code Assist Standard or Enterprise licence alone; individual accounts are refused. \`${io.command} doctor --live\` shows whether yours works.`;
  return warning(`Google login${said}`, `${own} ${fix || SIGN_IN_FIX}`);
}

/** What has chosen a way to sign in, and the key that is passed over for it: who has made a key may know of no other way. */
function choice(variable: string, signIn: SignIn, io: Pick<Io, "env">): { said: string; fix: string } {
  const byVariable = signIn.auth.selectedType === undefined ? sourceOf(variable, signIn, io) : undefined;
  const by = byVariable ?? "security.auth.selectedType in the CLI's settings.json";
  const key = sourceOf("GEMINI_API_KEY", signIn, io);
  if (key === undefined) return { said: ` (${by})`, fix: "" };
  return { said: ` (${by}); ${key} is not used`, fix: `To use the key instead, take out ${by}.` };
}

/** Which variable, and where it is set; never its value. */
function sourceOf(name: string, { env, envFile }: SignIn, io: Pick<Io, "env">): string | undefined {
  if (io.env[name]) return `${name} in the environment`;
  return env[name] && envFile !== undefined ? `${name} in ${envFile}` : undefined;
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
