import path from "node:path";
import { parseEnv } from "node:util";
import { readText } from "@x/owned-files";
import type { KeyPlace } from "../errors/key-place.js";
import { toRecord, toText } from "../parse-record.js";
import type { Environment } from "./environment.js";
import { stripComments } from "./json-comments.js";
import { ownHome } from "./own-home.js";

/** How the user is signed in to the CLI: all that a run takes over from the user's home. */
export interface SignIn {
  /** `security.auth` of the run's settings. */
  auth: { selectedType?: string; enforcedType?: string; useExternal?: boolean };
  /**
   * The same type by what the environment says, where it is known. A CLI that serves several runs takes a login that its settings
   * do not name for a key.
   */
  type?: string;
  /** A Google login, which goes to the models through Code Assist. */
  codeAssist: boolean;
  /**
   * What is used of the user's `~/.gemini/.env`, or else of `~/.env`: keys, projects, and how the API is reached (a base URL,
   * proxies, certificates). A variable that is set in the environment goes before.
   */
  env: Record<string, string>;
  /** The file that `env` was read from, if there is one. */
  envFile?: string;
  /** The key that counts, where a variable holds it: not one that the CLI keeps itself. */
  key?: KeyPlace;
  /** Files of a cached login; the CLI refreshes them in place. */
  files: string[];
}

/** Files under `~/.gemini` that hold a login. */
const LOGIN_FILES = ["oauth_creds.json", "google_accounts.json", "gemini-credentials.json", "installation_id"];

const SIGN_IN_VARIABLES = [
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_CLOUD_PROJECT",
  "GOOGLE_CLOUD_PROJECT_ID",
  "GOOGLE_CLOUD_QUOTA_PROJECT",
  "GOOGLE_GENAI_USE_GCA",
  "GOOGLE_GENAI_USE_VERTEXAI",
];

/** How the CLI reaches the API. */
const CONNECTION_VARIABLES = [
  ...["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GOOGLE_GENAI_API_VERSION"],
  ...["GEMINI_API_KEY_AUTH_MECHANISM", "GEMINI_CLI_CUSTOM_HEADERS", "CODE_ASSIST_ENDPOINT", "CODE_ASSIST_API_VERSION"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  "NODE_EXTRA_CA_CERTS",
];

const TAKEN_OVER = new Set([...SIGN_IN_VARIABLES, ...CONNECTION_VARIABLES]);

/** Ways of signing in, as the CLI's settings name them, that go through Code Assist. */
const CODE_ASSIST = new Set(["oauth-personal", "cloud-shell", "compute-default-credentials"]);

/** The variable of the key, by the ways of signing in that use one. */
const KEY_OF: Readonly<Record<string, string>> = {
  "gemini-api-key": "GEMINI_API_KEY",
  gateway: "GEMINI_API_KEY",
  "vertex-ai": "GOOGLE_API_KEY",
};

/** Reads the user's sign-in from the environment and from the home that the CLI would use. */
export async function readSignIn(env: Environment): Promise<SignIn> {
  const { GEMINI_CLI_HOME } = env;
  const home = GEMINI_CLI_HOME || env["HOME"] || env["USERPROFILE"] || ownHome() || path.parse(process.execPath).root;
  const folder = path.join(home, ".gemini");
  const [settings, kept] = await Promise.all([
    readSettings(path.join(folder, "settings.json")),
    firstReadable(home, [".gemini/.env", ".env"]),
  ]);
  const fromFile = Object.fromEntries(
    Object.entries(kept.variables).filter(([name]) => TAKEN_OVER.has(name) && !isSet(name, env)),
  );
  const auth = toRecord(toRecord(settings["security"])["auth"]);
  const known = { ...env, ...fromFile };
  const selectedType = toText(auth["selectedType"]) ?? typeFromEnvironment(known);
  const type = selectedType ?? loginFromEnvironment(known);
  const enforcedType = toText(auth["enforcedType"]);
  const variable = type === undefined ? undefined : KEY_OF[type];
  const nameOfHome = GEMINI_CLI_HOME ? "$GEMINI_CLI_HOME" : "~";
  return {
    auth: {
      ...(selectedType === undefined ? {} : { selectedType }),
      ...(enforcedType === undefined ? {} : { enforcedType }),
      ...(auth["useExternal"] === true ? { useExternal: true } : {}),
    },
    ...(type === undefined ? {} : { type }),
    codeAssist: CODE_ASSIST.has(type ?? ""),
    env: fromFile,
    ...(kept.file === undefined ? {} : { envFile: path.join(home, kept.file) }),
    ...(variable !== undefined && known[variable]
      ? { key: { variable, ...(fromFile[variable] ? { file: `${nameOfHome}/${kept.file}` } : {}) } }
      : {}),
    files: LOGIN_FILES.map((name) => path.join(folder, name)),
  };
}

/** Proxies are named in small letters or large, and either counts. */
function isSet(name: string, env: Environment): boolean {
  return [name, name.toUpperCase(), name.toLowerCase()].some((each) => env[each]);
}

/**
 * The CLI finds the type by itself, except for a key with a base URL, which it takes for a gateway and then refuses.
 */
function typeFromEnvironment(env: Environment): string | undefined {
  if (loginFromEnvironment(env) !== undefined) return undefined;
  return env["GEMINI_API_KEY"] ? "gemini-api-key" : undefined;
}

/** In the order in which the CLI looks. */
function loginFromEnvironment(env: Environment): string | undefined {
  if (env["GOOGLE_GENAI_USE_GCA"] === "true") return "oauth-personal";
  return env["GOOGLE_GENAI_USE_VERTEXAI"] === "true" ? "vertex-ai" : undefined;
}

async function readSettings(file: string): Promise<Record<string, unknown>> {
  try {
    return toRecord(JSON.parse(stripComments(await readWhole(file))));
  } catch {
    return {};
  }
}

/** The first of these files of the home. */
async function firstReadable(
  home: string,
  files: readonly string[],
): Promise<{ file?: string; variables: Readonly<Record<string, string>> }> {
  for (const file of files) {
    try {
      return { file, variables: parseEnv(await readWhole(path.join(home, file))) as Record<string, string> };
    } catch {
      // Not there: the next.
    }
  }
  return { variables: {} };
}

/** A longer file is none that people write. */
const LONGEST_BYTES = 10_000_000;

function readWhole(file: string): Promise<string> {
  return readText(file, { mostBytes: LONGEST_BYTES });
}
