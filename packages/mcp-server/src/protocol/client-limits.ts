/** How one kind of client wants to be answered. */
export interface ClientLimits {
  /** How long a call may wait for its job before it answers `running`. 0: until the job ends. */
  waitMs: number;
  /** A call that asks for a longer wait would be cut, and its work cancelled. `undefined`: none is known. */
  longestWaitMs: number | undefined;
  /** Longest answer that the client shows its model whole. `undefined`: it takes any. */
  maxChars: number | undefined;
}

const UNKNOWN: ClientLimits = { waitMs: 50_000, longestWaitMs: undefined, maxChars: undefined };

/** By the start of the name that a client gives in `initialize`; a little below the time at which it cuts a call. */
const KNOWN: readonly (readonly [name: string, limits: ClientLimits])[] = [
  ["claude-code", { waitMs: 0, longestWaitMs: undefined, maxChars: undefined }],
  ["codex", { waitMs: 270_000, longestWaitMs: 270_000, maxChars: 8_000 }],
  // Of more than 40,000 characters it shows the beginning and the end.
  ["gemini-cli", { waitMs: 540_000, longestWaitMs: 540_000, maxChars: 36_000 }],
  ["visual studio code", { waitMs: 280_000, longestWaitMs: 280_000, maxChars: undefined }],
];

/** `maxWaitMs` is the person's own limit and wins: who sets it has told the client to wait longer, or not as long. */
export function limitsOf(clientName: string | undefined, maxWaitMs?: number): ClientLimits {
  const name = clientName?.toLowerCase() ?? "";
  const limits = KNOWN.find(([start]) => name.startsWith(start))?.[1] ?? UNKNOWN;
  return maxWaitMs === undefined ? limits : { ...limits, waitMs: maxWaitMs, longestWaitMs: undefined };
}
