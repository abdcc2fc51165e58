type LogLevel = "debug" | "info" | "warn" | "error";

/** Writes one line a call. */
export type Log = (level: LogLevel, message: string) => void;

/**
 * `[LEVEL] text` lines to `write`; debug lines only when asked for. Messages quote pages and models: what would end the
 * line or steer a terminal becomes a blank.
 */
export function createLog(write: (line: string) => void, options: { debug?: boolean } = {}): Log {
  return (level, message) => {
    if (level === "debug" && !options.debug) return;
    write(`[${level.toUpperCase()}] ${message.replace(/\p{Cc}+/gu, " ")}\n`);
  };
}
