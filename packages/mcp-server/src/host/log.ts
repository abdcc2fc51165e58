import { plainLine } from "../text/plain-text.js";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Writes one line a call. */
export type Log = (level: LogLevel, message: string) => void;

export interface LogOptions {
  /** Debug lines too. Default: none. */
  debug?: boolean;
  /** One JSON object a line, for whoever collects them. Default: `[LEVEL] text`. */
  json?: boolean;
  /** Milliseconds since 1970, of the JSON objects. Default: `Date.now`. */
  now?: () => number;
}

/**
 * Lines to `write`. Messages quote pages and models: what would end the line becomes a blank, and what would steer a
 * terminal or hide from a reader is left out.
 */
export function createLog(write: (line: string) => void, { debug, json, now = Date.now }: LogOptions = {}): Log {
  return (level, message) => {
    if (level === "debug" && !debug) return;
    const text = plainLine(message);
    const time = () => new Date(now()).toISOString();
    write(json ? `${JSON.stringify({ time: time(), level, message: text })}\n` : `[${level.toUpperCase()}] ${text}\n`);
  };
}
