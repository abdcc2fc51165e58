import { PassThrough, Writable } from "node:stream";
import type { Io } from "../../src/host/io.js";

export interface FakeIo {
  io: Io;
  out(): string;
  err(): string;
  /** As Ctrl-C does. */
  interrupt(): void;
}

/** What a command is given, with what it writes kept. */
export function fakeIo(options: {
  home: string;
  env?: Record<string, string | undefined>;
  stdin?: string;
  /** Streams that are a terminal. */
  tty?: readonly ("stdin" | "stdout" | "stderr")[];
  /** Default: 80. */
  columns?: number;
}): FakeIo {
  const { home, env = {}, stdin = "", tty = [], columns = 80 } = options;
  const stopped = new AbortController();
  const written = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
    return Object.assign(stream, { isTTY: tty.includes(name), columns, rows: 24 }) as unknown as NodeJS.WriteStream;
  };
  const input = Object.assign(new PassThrough(), { isTTY: tty.includes("stdin") });
  input.end(stdin);
  return {
    io: {
      stdin: input as unknown as NodeJS.ReadStream,
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      env: { HOME: home, PATH: process.env["PATH"], ...env },
      host: { platform: "linux", homeDir: home, cwd: home, pid: process.pid },
      command: "x-research",
      signal: stopped.signal,
    },
    out: () => written.stdout,
    err: () => written.stderr,
    interrupt: () => stopped.abort("SIGINT"),
  };
}
