import { LONGEST_TIMER_MS } from "../host/setting-values.js";

/** How one kind of client wants to be answered. */
export interface ClientLimits {
  /** How long a call may wait for its job before it answers `running`. 0: until the job ends. */
  waitMs: number;
  /** The longest wait that a call may ask for: the client would cut a longer one. `undefined`: no limit is known. */
  longestWaitMs: number | undefined;
  /** Length of the longest answer that the client shows its model whole, in characters. `undefined`: any length. */
  maxChars: number | undefined;
  /** Whether an answer is given as structured content too. */
  structured: boolean;
}

/** What a client says of itself when it connects. */
export interface Client {
  name?: string | undefined;
  protocolVersion?: string | undefined;
}

/** What the person, or the program that started this one, has set. */
export interface WaitSettings {
  /** How long a call waits. 0: to the end. Default: what suits the client. */
  maxWaitMs?: number | undefined;
  /** The client's own limit for a call. Default: what is known of it. */
  clientTimeoutMs?: number | undefined;
}

const WHOLE: Omit<ClientLimits, "waitMs"> = { longestWaitMs: undefined, maxChars: undefined, structured: true };
/** Most clients of unknown limits cut a call after 60 s or later. */
const UNKNOWN: ClientLimits = { ...WHOLE, waitMs: 50_000, longestWaitMs: 50_000, maxChars: 16_000 };

/**
 * By the start of the name that a client gives: a little below the time after which it cuts a call, and below the length
 * from which its model does not see all of an answer.
 */
const KNOWN: readonly (readonly [name: string, limits: ClientLimits])[] = [
  // It moves a long call to the background, and then cuts the result at 100,000 characters.
  ["claude-code", { ...WHOLE, waitMs: 0, maxChars: 95_000 }],
  ["codex", { ...WHOLE, waitMs: 270_000, longestWaitMs: 270_000, maxChars: 8_000 }],
  // Of more than 40,000 characters it shows the beginning and the end.
  ["gemini-cli", { ...WHOLE, waitMs: 540_000, longestWaitMs: 540_000, maxChars: 36_000 }],
  ["visual studio code", { ...WHOLE, waitMs: 280_000, longestWaitMs: 280_000 }],
  ["opencode", { ...WHOLE, waitMs: 280_000, longestWaitMs: 280_000, maxChars: 40_000 }],
  // These two show their model text and structure, one after the other.
  ["qwen-cli", { waitMs: 280_000, longestWaitMs: 280_000, maxChars: 22_000, structured: false }],
  ["copilot-cli", { waitMs: 280_000, longestWaitMs: 280_000, maxChars: 16_000, structured: false }],
  ["@cline/core", { ...UNKNOWN, maxChars: 7_000 }],
];

/** The first revision with structured content. A client of an older one may show its model text and structure both. */
const STRUCTURED_SINCE = "2025-06-18";

export function limitsOf({ name = "", protocolVersion }: Client, settings: WaitSettings = {}): ClientLimits {
  const known = KNOWN.find(([start]) => name.toLowerCase().startsWith(start))?.[1] ?? UNKNOWN;
  const structured = known.structured && (protocolVersion ?? STRUCTURED_SINCE) >= STRUCTURED_SINCE;
  return { ...known, structured, ...waitsOf(known, settings) };
}

type Waits = Pick<ClientLimits, "waitMs" | "longestWaitMs">;

function waitsOf(known: Waits, { maxWaitMs, clientTimeoutMs }: WaitSettings): Waits {
  const { waitMs, longestWaitMs } = known;
  const waits = maxWaitMs === undefined ? { waitMs, longestWaitMs } : { waitMs: maxWaitMs, longestWaitMs: undefined };
  return clientTimeoutMs === undefined ? waits : below(waits, clientTimeoutMs);
}

/** Shortens the waits so that every answer comes before the client's limit for a call. */
export function below({ waitMs, longestWaitMs }: Waits, clientTimeoutMs: number): Waits {
  const limit = Math.min(clientTimeoutMs, LONGEST_TIMER_MS);
  const longest = Math.max(1, limit - Math.min(10_000, Math.max(500, limit / 10)));
  return {
    waitMs: waitMs === 0 ? longest : Math.min(waitMs, longest),
    longestWaitMs: Math.min(longestWaitMs ?? Infinity, longest),
  };
}
