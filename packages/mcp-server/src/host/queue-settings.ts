import { given } from "./settings.js";

/** Where jobs are when many processes share them, and what holds over all of them. */
export interface QueueSettings {
  /** `redis://…`, `rediss://…`, `postgres://…` */
  url: string;
  key: KeySettings;
}

/** What may be asked of the Gemini API by all who share jobs: those of a queue, or of one process without one. */
export interface KeySettings {
  /** Researches at once. `undefined`: as many as there is room for. */
  running: number | undefined;
  /** Researches begun in a minute with one key. `undefined`: no limit but the API's. */
  perMinute: number | undefined;
}

export type ReadQueueSettings =
  | { ok: true; queue: QueueSettings | undefined; key: KeySettings }
  | { ok: false; problem: string };

const URLS = /^(?:rediss?|postgres(?:ql)?):\/\//;
const EXPECTED =
  "expected redis://HOST:PORT/DB, rediss://… (TLS) or postgres://USER@HOST:PORT/DB; unset it to keep jobs in files";

/** `ok: false`: the server must not start. It would keep apart what its operator wanted shared. */
export function readQueueSettings(env: Readonly<Record<string, string | undefined>>): ReadQueueSettings {
  const url = given(env["MCP_SERVER_QUEUE"]);
  // The URL may hold a password.
  if (url !== undefined && (!URLS.test(url) || !URL.canParse(url)))
    return { ok: false, problem: `MCP_SERVER_QUEUE cannot be read: ${EXPECTED}` };
  if (url?.startsWith("redis") && !/^\/?\d{0,9}$/.test(new URL(url).pathname)) {
    return { ok: false, problem: `MCP_SERVER_QUEUE names a database of Redis that is no number: ${EXPECTED}` };
  }
  const limits: (number | undefined)[] = [];
  for (const name of ["MCP_SERVER_KEY_RUNNING", "MCP_SERVER_KEY_PER_MINUTE"]) {
    const text = given(env[name]);
    const value = text === undefined ? undefined : Number(text);
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      return { ok: false, problem: `${name} is ${JSON.stringify(text)}: expected a whole number of 1 and more` };
    }
    limits.push(value);
  }
  const key = { running: limits[0], perMinute: limits[1] };
  return { ok: true, queue: url === undefined ? undefined : { url, key }, key };
}
