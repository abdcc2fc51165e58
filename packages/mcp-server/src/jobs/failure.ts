import { fileProblem } from "@x/owned-files";
import type { Origin, Origins } from "../host/config.js";
import { UnsafeFolderError } from "../host/private-folder.js";
import { BusyError } from "./busy.js";

/** What a person or a model is told when something failed: the `error` object of the contract. */
export interface Failure {
  code: string;
  message: string;
  details?: string;
  /** Why, where the code alone does not say it, as the runner names it: `timeout`, `workspace` … */
  reason?: string;
  /** With `QUOTA_EXCEEDED` of this server: when to ask again, where that is known. */
  retry_after_ms?: number;
  /** With `QUOTA_EXCEEDED` of this server: whose limit it is. Without it the limit is the API's. */
  scope?: "tenant" | "server";
}

const CODES = new Set([
  "CLI_NOT_FOUND",
  "AUTH_REQUIRED",
  "QUOTA_EXCEEDED",
  "MODEL_NOT_FOUND",
  "CANCELLED",
  "INVALID_INPUT",
  "RESEARCH_FAILED",
  "EXECUTION_ERROR",
  "UNEXPECTED_ERROR",
]);

/** Whether what was read from disk is one. */
export function isFailure(value: unknown): value is Failure {
  if (typeof value !== "object" || value === null) return false;
  const { code, message, details = "", reason = "" } = value as Partial<Record<string, unknown>>;
  return CODES.has(String(code)) && [message, details, reason].every((text) => typeof text === "string");
}

/** By Google's page of rate limits, ai.google.dev/gemini-api/docs/rate-limits. */
const RENEWED =
  "Each model has a quota of its own. The quota of a day is renewed at midnight Pacific time (07:00 or 08:00 UTC).";

const NEW_KEY = "https://aistudio.google.com/apikey";

/**
 * One next step a code, in the words of this server's settings; what happened stands in the message. The `nextStep` that a
 * run's error has is the same in general words, and is told for what has none here.
 */
const NEXT_STEP: Readonly<Record<string, string>> = {
  CLI_NOT_FOUND:
    "Install the Gemini CLI: npm install -g @google/gemini-cli (or: brew install gemini-cli). It needs Node.js 20 or newer. If it is installed already, set GEMINI_CLI_PATH to its full path.",
  AUTH_REQUIRED: `Make a key at ${NEW_KEY} and put GEMINI_API_KEY=YOUR_KEY into ~/.gemini/.env, which Gemini CLI reads too, or into the environment of this server. Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT) and a Gemini Code Assist Standard or Enterprise login work too.`,
  QUOTA_EXCEEDED: `${RENEWED} Wait until then, or set GEMINI_MODEL to a model that still has some.`,
  MODEL_NOT_FOUND:
    "Set GEMINI_MODEL (for corrections GEMINI_CORRECTION_MODEL) to a model that your account can use, or unset it, and the CLI chooses one.",
  CANCELLED:
    "Ask the same question again within 24 hours: it goes on after its last finished round. Later, or without such a round, it starts anew.",
};

const INSTALL =
  "To install it: npm install -g @google/gemini-cli (or: brew install gemini-cli). It needs Node.js 20 or newer.";
const OTHER_MODEL = "Ask again, or set GEMINI_MODEL to another model.";
const LOOK = "Run `npx -y @x/mcp-server doctor`: it tells what is wrong with the Gemini CLI.";
const LATER = "Ask again in a minute.";

/** One next step a reason of `EXECUTION_ERROR`, as the runner names it. */
const REASON_STEP: Readonly<Record<string, string>> = {
  // Of a key that the CLI keeps itself; of any other the place is known.
  "key-refused": `Make a new key: ${NEW_KEY}, and put it as GEMINI_API_KEY=YOUR_KEY into ~/.gemini/.env. It counts before the one that Gemini CLI keeps itself.`,
  "no-credentials":
    "Run `gcloud auth application-default login` as the user that this server runs as, or set GOOGLE_APPLICATION_CREDENTIALS to a file with credentials, in ~/.gemini/.env or in the environment of this server. To use a key instead of Vertex AI, put GEMINI_API_KEY=YOUR_KEY into ~/.gemini/.env and unset GOOGLE_GENAI_USE_VERTEXAI. `npx -y @x/mcp-server auth` says where that is set, and which key would be used then.",
  timeout: "Raise GEMINI_SEARCH_TIMEOUT (milliseconds), or ask a narrower question.",
  idle: LATER,
  "tool-timeout": LATER,
  network: `Check the connection. If the environment of this server or ~/.gemini/.env sets a proxy (HTTPS_PROXY) or an address of the API (GOOGLE_GEMINI_BASE_URL), check that, too. ${LATER}`,
  server: `The API itself has a problem. ${LATER} Another GEMINI_MODEL may be free.`,
  spawn: "Make the file executable, or set GEMINI_CLI_PATH to the Gemini CLI.",
  crash: `${LOOK} It also names the program that was started: another one may have the name gemini. If it is the Gemini CLI, update it: npm install -g @google/gemini-cli.`,
  "unsupported-version":
    "Update the Gemini CLI: npm install -g @google/gemini-cli. If you have just done that, the folder that npm installs into is not on PATH: `npm prefix -g` names it. Set GEMINI_CLI_PATH to the gemini in it.",
  input: LOOK,
  settings: LOOK,
  untrusted: LOOK,
  empty: OTHER_MODEL,
  "thinking-only": OTHER_MODEL,
  loop: OTHER_MODEL,
  blocked: "The model refuses to answer this. Ask in other words, or set GEMINI_MODEL to another model.",
  truncated: "The answer is longer than the model may write. Ask a narrower question.",
  turns: "Ask a narrower question.",
  "too-long": "Shorten the question.",
  workspace:
    "Check whether the disk is full, and whether others may write to the folder (`chmod go-w` ends that). Or set GEMINI_SEARCH_CONFIG_DIR to a folder that is yours alone.",
  closed: "Ask again to start anew.",
};

/** One next step a code of an answer that could not be read, as json-repair names it. */
const ANSWER_STEP: Readonly<Record<string, string>> = {
  empty: OTHER_MODEL,
  "not-found": OTHER_MODEL,
  syntax: OTHER_MODEL,
  schema: OTHER_MODEL,
  "too-deep": OTHER_MODEL,
  "too-large": "Ask a narrower question.",
};

/** One next step an error of the file system, for what is written is in the config directory. */
const WRITE_STEP = "Make it writable, or set GEMINI_SEARCH_CONFIG_DIR to another folder.";
const FILE_STEP: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Free some space, or set GEMINI_SEARCH_CONFIG_DIR to a folder on another disk.",
  EDQUOT: "The disk quota is used up. Free some space, or set GEMINI_SEARCH_CONFIG_DIR to a folder on another disk.",
  EROFS: `The config directory is read-only. ${WRITE_STEP}`,
  EACCES: `The config directory cannot be written. ${WRITE_STEP}`,
  EPERM: `The config directory cannot be written. ${WRITE_STEP}`,
  // Node says so of a folder to be made on a read-only file system.
  ENOENT: `The config directory cannot be made. ${WRITE_STEP}`,
  EEXIST:
    "A file stands where the config directory should be. Move it away, or set GEMINI_SEARCH_CONFIG_DIR to a folder.",
  ENOTDIR:
    "A file stands where the config directory should be. Move it away, or set GEMINI_SEARCH_CONFIG_DIR to a folder.",
  EMFILE: "Too many files are open on this machine. Close some programs and ask again.",
  ENFILE: "Too many files are open on this machine. Close some programs and ask again.",
};

/** What a host shows of an error is little; the end of what the CLI said is what matters. */
const LONGEST_DETAILS = 1_500;

/**
 * Any error → code, message, details with the next step. Never a stack.
 *
 * @param origins What says the settings: the next step names that. Default: the variables.
 */
export function toFailure(error: unknown, origins: Origins = NO_ORIGINS): Failure {
  if (error instanceof BusyError) {
    const { code, message, details, retryAfterMs, scope } = error;
    return { code, message, details, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }), scope };
  }
  const { code, message, details } = shapeOf(error);
  const reason = reasonOf(error);
  const text = [details?.slice(-LONGEST_DETAILS), stepAfter(error, origins)]
    .filter((part) => part !== undefined && part !== "")
    .join("\n");
  return { code, message, ...(text !== "" && { details: text }), ...(reason !== undefined && { reason }) };
}

const NO_ORIGINS: Origins = new Map();

/** What there is to do about every error of this code, in words; `undefined`: that depends. */
export function nextStepOf(code: string, origins: Origins = NO_ORIGINS): string | undefined {
  const cli = origins.get("GEMINI_CLI_PATH");
  if (code === "CLI_NOT_FOUND" && cli !== undefined) return `${elsewhere(cli)} ${INSTALL}`;
  const model = origins.get("GEMINI_MODEL");
  if (code === "QUOTA_EXCEEDED" && model !== undefined)
    return `${RENEWED} Wait until then, or use another model: this one comes from ${model.name}. Set one there that still has some, or ${wayBack(model)}, and the CLI chooses.`;
  return Object.hasOwn(NEXT_STEP, code) ? named(NEXT_STEP[code] ?? "", origins) : undefined;
}

/** The CLI is not where a setting says. */
function elsewhere(origin: Origin): string {
  return `The path comes from ${origin.name}: correct it, or ${wayBack(origin)}, and the Gemini CLI is looked for on PATH.`;
}

function wayBack({ key }: Origin): string {
  return key === undefined ? "unset it" : `take it out (\`npx -y @x/mcp-server config unset ${key}\`)`;
}

/** The CLI is too old, and a newer one is on PATH. */
function newerInstead(file: string, origins: Origins): string {
  const cli = origins.get("GEMINI_CLI_PATH");
  if (cli !== undefined) return elsewhere(cli);
  const path = /\s/.test(file) ? `"${file}"` : file;
  return `Choose the newer one for the terminal and every client: \`npx -y @x/mcp-server config set cliPath ${path}\`. Or remove the older one, which stands before it on PATH.`;
}

/** A key is corrected where it was taken from: elsewhere there may be none, or one that does not count. */
function keyStep(variable: string, file: unknown): string {
  const another = variable === "GEMINI_API_KEY" ? NEW_KEY : "Vertex AI takes one of the Google Cloud console.";
  return typeof file !== "string"
    ? `Correct ${variable} where the environment of this server is set: in the entry of your client, or in the start file of your shell. Or unset it there: a key in ~/.gemini/.env then counts, if there is one. A new key: ${another}`
    : `Correct ${variable} in ${file}, or put a new key there: ${another}`;
}

/** A step with each setting named by what says it. */
function named(step: string, origins: Origins): string {
  return step.replace(/\b[A-Z][A-Z_]{4,}\b/g, (variable) => origins.get(variable)?.name ?? variable);
}

/** By the first error on the way to the cause that says why, else by the first code: a reason tells more than a code. */
function stepAfter(error: unknown, origins: Origins): string | undefined {
  const errors = onTheWay(error);
  for (const at of errors) {
    const step = stepOfReason(at, origins);
    if (step !== undefined) return step;
  }
  // `deep_research` has fewer codes than there are steps: its causes are looked at too.
  for (const at of errors) {
    const { code, syscall } = at as Error & Partial<Record<string, unknown>>;
    const ofCode = typeof code === "string" ? nextStepOf(code, origins) : undefined;
    if (ofCode !== undefined) return ofCode;
    if (typeof code === "string" && Object.hasOwn(ANSWER_STEP, code)) return named(ANSWER_STEP[code] ?? "", origins);
    const ofFile = syscall === undefined ? undefined : fileStepOf(at);
    if (ofFile !== undefined) return named(ofFile, origins);
  }
  return errors.map(({ nextStep }) => nextStep).find((step) => typeof step === "string");
}

function stepOfReason(
  error: Error & { reason?: unknown; newerCli?: unknown; keyVariable?: unknown; keyFile?: unknown },
  origins: Origins,
): string | undefined {
  if (error instanceof UnsafeFolderError) return named(error.advice, origins);
  const { reason, newerCli, keyVariable, keyFile } = error;
  if (typeof reason !== "string" || !Object.hasOwn(REASON_STEP, reason)) return undefined;
  if (typeof newerCli === "string") return newerInstead(newerCli, origins);
  if (typeof keyVariable === "string") return keyStep(keyVariable, keyFile);
  return named(fileStepOf(error.cause) ?? REASON_STEP[reason] ?? "", origins);
}

/** An error and what caused it, the outermost first. */
function onTheWay(error: unknown): (Error & { nextStep?: string })[] {
  const errors: Error[] = [];
  for (let at = error; at instanceof Error; at = at.cause) errors.push(at);
  return errors;
}

function fileStepOf(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as Partial<Record<string, unknown>>;
  return typeof syscall === "string" && typeof code === "string" && Object.hasOwn(FILE_STEP, code)
    ? FILE_STEP[code]
    : undefined;
}

/** Of the first error on the way to the cause that has one. */
function reasonOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { reason } = at as Error & { reason?: unknown };
    if (typeof reason === "string") return reason;
  }
  return undefined;
}

function shapeOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: "EXECUTION_ERROR", message: String(error) };
  const { code, details, syscall, path } = error as Error & Partial<Record<string, unknown>>;
  // A system's own words are for programmers.
  const inWords = typeof syscall === "string" && typeof path === "string" && `${path}: ${fileProblem(error)}`;
  return {
    // Node's own errors have codes too.
    code: typeof code === "string" && CODES.has(code) ? code : "EXECUTION_ERROR",
    message: inWords || error.message || error.name,
    ...(typeof details === "string" ? { details } : {}),
  };
}
