import { plainLine } from "../text/plain-text.js";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Writes one line a call. */
export type Log = (level: LogLevel, message: string) => void;

/**
 * `[LEVEL] text` lines to `write`; debug lines only when asked for. Messages quote pages and models: what would end the
 * line becomes a blank, and what would steer a terminal or hide from a reader is left out.
 */
export function createLog(write: (line: string) => void, options: { debug?: boolean } = {}): Log {
  return (level, message) => {
    if (level === "debug" && !options.debug) return;
    write(`[${level.toUpperCase()}] ${plainLine(message)}\n`);
  };
}
