type LogLevel = "debug" | "info" | "warn" | "error";

/** Writes one line a call. */
export type Log = (level: LogLevel, message: string) => void;

/** `[LEVEL] text` lines to `write`; debug lines only when asked for. */
export function createLog(write: (line: string) => void, options: { debug?: boolean } = {}): Log {
  return (level, message) => {
    if (level === "debug" && !options.debug) return;
    write(`[${level.toUpperCase()}] ${message.replaceAll("\n", " ")}\n`);
  };
}
