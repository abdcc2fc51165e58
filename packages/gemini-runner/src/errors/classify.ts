import { unwrapApiError } from "./api-error-message.js";
import type { ApiFailure } from "./api-failure.js";
import type { KeyPlace } from "./key-place.js";
import { RunnerError, type RunnerErrorCode, type RunnerErrorOptions } from "./runner-error.js";

/** All that a run left behind when it ended without an answer. */
export interface Remains {
  exitCode?: number;
  signal?: string;
  /** What the CLI itself said of its failure on stdout. */
  messages: readonly string[];
  stderr: string;
  apiFailures: readonly ApiFailure[];
  /** The beginning of the name of the run's own folder. Its files are gone by the time anybody reads about them. */
  ownFolder: string;
  /** The key that it was started with, where a variable held it. */
  key?: KeyPlace | undefined;
  /** The CLI itself has tried again in vain. */
  repeated: boolean;
  /** It ended before it did anything with its prompt. */
  unbegun: boolean;
}

interface Row {
  exitCodes?: readonly number[];
  text?: RegExp;
  code: RunnerErrorCode;
  options?: (text: string, key?: KeyPlace) => RunnerErrorOptions;
  message: (quoted: string, about: About) => string;
}

/** Each begins with a blank, or is empty where nothing is known. */
interface About {
  /** ` at ` and where the API was looked for, when that is not Google's own. */
  at: string;
  /** ` of ` and the model that was asked. */
  of: string;
  /** In brackets, where the key was taken from. */
  from: string;
}

const SIGN_IN =
  "Ways to sign in that work: an API key (GEMINI_API_KEY in ~/.gemini/.env, or in the environment), Vertex AI (GOOGLE_GENAI_USE_VERTEXAI with a project), " +
  "or a login with a Code Assist Standard or Enterprise licence.";

const INDIVIDUAL_LOGIN =
  "Google no longer serves the login of an individual through Gemini CLI: it ended on 2026-06-18";

/** The CLI keeps its first choice of a sign-in, even when a key is set later. */
const OTHER_SIGN_IN = `${SIGN_IN} If GEMINI_API_KEY is set, the settings of the CLI (security.auth.selectedType) still ask for the login.`;

const OTHER_KEY = "Correct the key where it was taken from, or make a new one: https://aistudio.google.com/apikey.";

const OTHER_CREDENTIALS =
  "Run `gcloud auth application-default login`, or name a file with GOOGLE_APPLICATION_CREDENTIALS. To use a key instead, put GEMINI_API_KEY into ~/.gemini/.env and unset GOOGLE_GENAI_USE_VERTEXAI.";

/** The last: a page of a proxy or of a hotel's network in place of an answer, or an answer that was cut. */
const NETWORK =
  /fetch failed|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR|terminated|socket hang up|Incomplete JSON segment/;

/**
 * Which failure it was, first row wins. The CLI exits with its own codes (41 to 55) or with `status & 255` of the
 * API's answer (429 is 173).
 */
const ROWS: readonly Row[] = [
  {
    text: /IneligibleTierError|UNSUPPORTED_CLIENT|no longer supported for Gemini Code Assist for individuals/,
    code: "AUTH_REQUIRED",
    options: () => ({ nextStep: OTHER_SIGN_IN }),
    message: () => INDIVIDUAL_LOGIN,
  },
  {
    text: /Please set an Auth method|Invalid auth method selected/,
    code: "AUTH_REQUIRED",
    options: () => ({ nextStep: SIGN_IN }),
    message: () => "Gemini CLI is not signed in",
  },
  {
    text: /API_KEY_INVALID|API key not valid|API key expired|API_KEY_SERVICE_BLOCKED|API_KEY_HTTP_REFERRER_BLOCKED|reported as leaked/,
    code: "AUTH_REQUIRED",
    options: (_, key) => ({ reason: "key-refused", nextStep: OTHER_KEY, ...fieldsOf(key) }),
    message: (quoted, { from }) => `The API refused the key${from}: ${quoted}`,
  },
  {
    text: /Could not load the default credentials/,
    code: "AUTH_REQUIRED",
    options: () => ({ reason: "no-credentials", nextStep: OTHER_CREDENTIALS }),
    message: (quoted) => `Vertex AI needs Google credentials, and there are none: ${quoted}`,
  },
  {
    exitCodes: [41, 145, 147],
    text: /FatalAuthenticationError|UNAUTHENTICATED|PERMISSION_DENIED/,
    code: "AUTH_REQUIRED",
    options: () => ({ nextStep: SIGN_IN }),
    message: (quoted) => `Gemini CLI is not signed in: ${quoted}`,
  },
  // Before the quotas: the CLI takes a 503 for one of them.
  row("server", { exitCodes: [244, 246, 247, 248], text: /"code":\s*5\d\d|status 5\d\d/ }, "The API failed", true),
  {
    text: /TerminalQuotaError|exhausted your daily quota|RequestsPerDay/,
    code: "QUOTA_EXCEEDED",
    options: () => ({ scope: "day" }),
    message: (quoted, { of }) => `The daily quota${of} is used up: ${quoted}`,
  },
  {
    exitCodes: [173],
    text: /RetryableQuotaError|RESOURCE_EXHAUSTED|exceeded your current quota|status 429/,
    code: "QUOTA_EXCEEDED",
    options: (text) => ({ scope: "minute", retryable: true, ...retryAfter(text) }),
    message: (quoted, { of }) => `The quota${of} for this minute is used up: ${quoted}`,
  },
  {
    text: /ModelNotFoundError|is not found for API version/,
    code: "MODEL_NOT_FOUND",
    message: (quoted) => `There is no such model: ${quoted}`,
  },
  row("untrusted", { exitCodes: [55] }, "The CLI does not trust its working directory"),
  row("settings", { exitCodes: [52] }, "The CLI cannot read a settings file"),
  row("turns", { exitCodes: [53] }, "The run reached the CLI's limit of turns"),
  row("too-long", { text: /exceeds the maximum number of tokens/i }, "The prompt is too long"),
  row("input", { exitCodes: [42] }, "The CLI refused its input"),
  row("input", { exitCodes: [144], text: /^status 400 /m }, "The API refused the request"),
  row("blocked", { text: /response was blocked|PROHIBITED_CONTENT/ }, "The answer was blocked"),
  row("thinking-only", { text: /thoughts but no final response/ }, "The model thought and said nothing", true),
  row("truncated", { text: /truncated because it exceeded the token limit/ }, "The answer was cut off at its limit"),
  row("empty", { text: /empty response|Invalid stream|Model stream ended/ }, "The model gave an empty answer", true),
  row("loop", { text: /Loop detected/ }, "The CLI stopped the run because the model repeated itself"),
  {
    ...row("network", { text: NETWORK }, "", true),
    message: (quoted, { at }) => `The API could not be reached${at}: ${quoted}`,
  },
];

type Match = Pick<Row, "exitCodes" | "text">;

function row(reason: RunnerErrorOptions["reason"] & string, match: Match, message: string, retryable = false): Row {
  return {
    ...match,
    code: "EXECUTION_ERROR",
    options: () => ({ reason, retryable }),
    message: (quoted) => `${message}: ${quoted}`,
  };
}

const STDERR_KEPT = 4_000;
const MODEL_IN_PATH = /\/models\/([^/:]+)/;
const ABOUT_MODELS: ReadonlySet<RunnerErrorCode> = new Set(["QUOTA_EXCEEDED", "MODEL_NOT_FOUND"]);

/** Makes the error of a run that ended without an answer. */
export function toError(remains: Remains): RunnerError {
  const { exitCode, signal, messages, stderr, apiFailures, ownFolder, key, repeated, unbegun } = remains;
  const runaway = apiFailures.find((failure) => failure.runaway);
  if (runaway !== undefined) {
    const model = modelIn(runaway);
    const message = `The daily quota of ${model ?? "the model that searches"} is used up`;
    return new RunnerError("QUOTA_EXCEEDED", message, { scope: "day", ...(model && { model }) });
  }
  const words = wordsOf(stderr, ownFolder);
  const last = wordsOf(unwrapApiError(messages.at(-1) ?? ""), ownFolder);
  const told = last.length > 0 ? last : words;
  const quoted = quote(told.length > 0 ? [...new Set(told)].join(" ") : requestSaid(apiFailures.at(-1)));
  const found = rowOf(remains);
  const how = signal === undefined ? `with exit code ${exitCode}` : `by ${signal}`;
  const origin = apiFailures.at(-1)?.origin;
  const model = modelIn(apiFailures.findLast(({ status }) => status !== undefined));
  const about = {
    at: origin === undefined ? "" : ` at ${origin}`,
    of: model === undefined ? "" : ` of ${model}`,
    from: key === undefined ? "" : ` (${key.variable} in ${key.file ?? "the environment"})`,
  };
  const message = found?.message(quoted, about) ?? `Gemini CLI ended ${how}: ${quoted}`;
  return new RunnerError(found?.code ?? "EXECUTION_ERROR", message, {
    ...(found === undefined ? { reason: "crash" } : found.options?.([...messages, stderr].join("\n"), key)),
    ...(model !== undefined && found !== undefined && ABOUT_MODELS.has(found.code) ? { model } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    stderr: without(last[0], words, { message, found }).join("\n").slice(-STDERR_KEPT),
    repeated,
    unbegun,
  });
}

function fieldsOf({ variable, file }: Partial<KeyPlace> = {}): RunnerErrorOptions {
  return {
    ...(variable === undefined ? {} : { keyVariable: variable }),
    ...(file === undefined ? {} : { keyFile: file }),
  };
}

function modelIn(failure: ApiFailure | undefined): string | undefined {
  return MODEL_IN_PATH.exec(failure?.path ?? "")?.[1];
}

/** Looks at the CLI's last words first: stderr also tells of failures that it overcame. */
function rowOf({ exitCode, messages, stderr, apiFailures }: Remains): Row | undefined {
  const said = messages.join("\n");
  const requests = apiFailures.map(({ status, code }) => `status ${status} ${code}`).join("\n");
  return (
    ROWS.find(({ text }) => text?.test(said)) ??
    ROWS.find(
      ({ exitCodes, text }) => (exitCode !== undefined && exitCodes?.includes(exitCode)) || text?.test(stderr),
    ) ??
    ROWS.find(({ text }) => text?.test(requests))
  );
}

const NOTHING_KNOWN: About = { at: "", of: "", from: "" };

/** The shortest text that is recognised when it is repeated. */
const SHORTEST_REPEATED = 20;

/** Removes what `message` already quotes: the CLI writes its last words to stderr several times, behind other names. */
function without(
  lastWords = "",
  lines: readonly string[],
  { message, found }: { message: string; found: Row | undefined },
): readonly string[] {
  // A message that quotes nothing says in other words what the row knew the line by.
  const isSaid = found?.message("", NOTHING_KNOWN) === message ? found.text : undefined;
  const told = lastWords.length >= SHORTEST_REPEATED && message.includes(inOneLine(lastWords));
  return lines.filter((line) => !(told && line.endsWith(lastWords)) && !isSaid?.test(line));
}

function retryAfter(text: string): { retryAfterMs?: number } {
  const exact = /retryDelayMs: (\d+)/.exec(text)?.[1];
  if (exact !== undefined) return { retryAfterMs: Number(exact) };
  const seconds = /retry (?:in|after) ([\d.]+)s/i.exec(text)?.[1];
  return seconds === undefined ? {} : { retryAfterMs: Math.ceil(Number.parseFloat(seconds) * 1_000) };
}

const QUOTE_LENGTH = 400;
/** What the CLI writes to stderr in a run where all is well. */
const NOTES = ["256-color", "MaxListenersExceededWarning", "Ripgrep is not available"];

/** Warnings of Node itself, and how to hear more of them. */
const NODE_SAYS = /^\(node:\d+\) |^\(Use `node --trace-/;

/** Whether a line says nothing of a failure: notes about starting up; stacks and dumps, which are indented. */
function isNoise(line: string): boolean {
  if (line.startsWith("[STARTUP]") || NODE_SAYS.test(line)) return true;
  return /^(?:\s|[\]})]*$)/.test(line) || NOTES.some((note) => line.includes(note));
}

/** What is typed into the CLI's own terminal, which nobody sees here. */
const OWN_COMMAND = /(?:^|\s)\/(?:auth|model|stats|upgrade|settings|privacy|chat|compress|clear|bug)(?![\w/-])/;

/** Without the parts of its sentences that advise such a command. */
function withoutCommands(line: string): string {
  if (!OWN_COMMAND.test(line)) return line;
  const parts = line.split(/(?<=[.,;]) /).filter((part) => !OWN_COMMAND.test(part));
  return parts.join(" ").replace(/[,;]$/, ".");
}

/**
 * The run's own folder is gone by the time anybody reads the text: the CLI's note of a report is left out, and of any other
 * path in that folder only the name of the file stays.
 */
const REPORT = / ?Full report available at: \S+/g;
const PATH = /[^\s"']+/g;

/** The lines that say something. */
function wordsOf(text: string, ownFolder: string): string[] {
  return text
    .split("\n")
    .filter((line) => !isNoise(line))
    .flatMap((line) => {
      const own = line
        .replace(REPORT, "")
        .replace(PATH, (path) => withoutFolder(path, ownFolder))
        .replace(/ \{$/, "");
      return unwrapApiError(own).split(/\r?\n/);
    })
    .map(withoutCommands)
    .filter((line) => !isNoise(line));
}

/** Cuts a path in the run's folder to its last name. In one pass: a CLI may write a line of any length. */
function withoutFolder(path: string, folder: string): string {
  const prefix = path.indexOf(folder);
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return prefix !== -1 && prefix < slash ? path.slice(slash + 1) : path;
}

function requestSaid(failure: ApiFailure | undefined): string {
  if (failure === undefined) return "";
  return failure.status === undefined ? `a request failed (${failure.code})` : `the API answered ${failure.status}`;
}

/** Its beginning, in one line. */
function quote(text: string): string {
  const whole = inOneLine(text);
  if (whole === "") return "it said nothing";
  return whole.length > QUOTE_LENGTH ? `${whole.slice(0, QUOTE_LENGTH)}…` : whole;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
