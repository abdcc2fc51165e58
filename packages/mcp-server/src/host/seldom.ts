import type { Log } from "./log.js";

const AGAIN_MS = 60_000;
/** Texts that are remembered: whoever makes up ever new ones fills neither the memory nor the log. */
const MOST = 1_000;

/** A log in which the same line stands once a minute at most, for what anybody who asks can bring about. */
export function seldom(log: Log): Log {
  /** In the order in which they were told. */
  const toldMs = new Map<string, number>();
  return (level, message) => {
    const nowMs = performance.now();
    for (const [text, atMs] of toldMs) {
      if (nowMs - atMs < AGAIN_MS) break;
      toldMs.delete(text);
    }
    if (toldMs.has(message) || toldMs.size >= MOST) return;
    toldMs.set(message, nowMs);
    log(level, message);
  };
}
