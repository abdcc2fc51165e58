import { plainLine } from "../text/plain-text.js";

type LogLevel = "debug" | "info" | "warn" | "error";

/** What a line is about, for whoever collects them. */
interface LogFields {
  tenant?: string;
  job?: string;
  code?: string;
}

/** Writes one line a call. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

export interface LogOptions {
  /** Debug lines too. Default: none. */
  debug?: boolean;
  /** One JSON object a line, for whoever collects them. Default: `[LEVEL] text`. */
  json?: boolean;
  /** Milliseconds since 1970, of the JSON objects. Default: `Date.now`. */
  now?: () => number;
}

/** Bytes of a log that wait to be read: one that is not read, by whoever started the server, must not grow for good. */
const MOST_UNREAD = 1024 * 1024;

/** Writes lines to a stream; leaves them out while too much of what it was given before waits for its reader. */
export function linesTo(stream: Pick<NodeJS.WriteStream, "write" | "writableLength">): (line: string) => void {
  return (line) => {
    if (stream.writableLength < MOST_UNREAD) stream.write(line);
  };
}

/**
 * Lines to `write`. Messages quote pages and models: what would end the line becomes a blank, and what would steer a
 * terminal or hide from a reader is left out.
 */
export function createLog(write: (line: string) => void, { debug, json, now = Date.now }: LogOptions = {}): Log {
  return (level, message, fields) => {
    if (level === "debug" && !debug) return;
    const text = plainLine(message);
    const time = () => new Date(now()).toISOString();
    const object = () => JSON.stringify({ time: time(), level, ...fields, message: text });
    write(json ? `${object()}\n` : `[${level.toUpperCase()}] ${text}\n`);
  };
}
