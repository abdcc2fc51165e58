#!/usr/bin/env node
import { homedir } from "node:os";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { checkoutOf, commandName } from "./host/command-name.js";
import type { Io } from "./host/io.js";
import { given } from "./host/settings.js";
import { serveStdio } from "./transports/stdio.js";

/** Exit codes of a shell for a process that a signal ended. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

// What is not set must not reach the CLI either: it would take an unfilled field for a key.
for (const [name, value] of Object.entries(process.env)) {
  // Of our own, whoever set a token that is none must be told.
  if (given(value) === undefined && !name.startsWith("MCP_SERVER_")) delete process.env[name];
}

const ended = new AbortController();
for (const name of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) process.on(name, () => ended.abort(name));
// Nobody reads what is written any more: as good as a signal. Without a listener it would be an uncaught error.
process.stdout.on("error", () => ended.abort("EPIPE"));
process.stderr.on("error", () => {});

/** A directory of the process. One that is not there, or no more, does not keep the server from starting. */
function found(find: () => string, instead: string): string {
  try {
    return find();
  } catch {
    return instead;
  }
}
const cwd = found(process.cwd, parse(process.execPath).root);

const started = () => ({ script: fileURLToPath(import.meta.url), env: process.env, host: process });

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  host: { platform: process.platform, homeDir: found(homedir, cwd), cwd, pid: process.pid },
  // Looked for when a hint names it.
  get command() {
    return commandName(started());
  },
  get checkout() {
    return checkoutOf(started());
  },
  signal: ended.signal,
};

// What anything bundled might print must not reach the protocol.
const toStderr = console.error.bind(console);
const argv = process.argv.slice(2);
if (argv.length === 0) {
  console.log = console.info = console.debug = toStderr;
  // Whatever it could not stop in time ends with it: the CLI notices that its parent is gone.
  process.exit(await serveStdio(io));
} else {
  const { main } = await import("./cli/main.js");
  const code = await main(argv, io);
  // A server ends with whatever it could not stop in time; what a command has printed may still be on its way.
  if (argv[0] === "http" || argv[0] === "worker") process.exit(code);
  process.exitCode = code;
}
