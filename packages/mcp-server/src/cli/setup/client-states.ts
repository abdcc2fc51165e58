import { access, constants, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { CLIENTS, type Client, type ClientOptions } from "./client.js";
import { describeClient } from "./clients.js";
import { planChange } from "./config-file.js";
import { SetupError } from "./merged.js";

/** One client on this machine. */
export interface ClientState {
  client: Client;
  /** `unreadable`: the configuration cannot be read, and `problem` says why. */
  state: "done" | "installed" | "missing" | "unreadable";
  problem?: string;
}

/** Which clients are installed, and which of them know the server already. */
export async function clientStates(options: ClientOptions): Promise<ClientState[]> {
  const clients = CLIENTS.flatMap((name) => describeClient(name, options) ?? []);
  return Promise.all(clients.map((client) => stateOf(client, options)));
}

async function stateOf(client: Client, options: ClientOptions): Promise<ClientState> {
  try {
    const { before, after, exists } = await planChange(client);
    if (exists && before === after) return { client, state: "done" };
    // A client that was never started has no folder yet.
    const isInstalled = (await isThere([...client.files, ...client.traces])) || (await isOnPath(client, options));
    return { client, state: isInstalled ? "installed" : "missing" };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { client, state: "unreadable", problem: error.message };
  }
}

async function isThere(paths: readonly string[]): Promise<boolean> {
  return (await Promise.all(paths.map((path) => succeeds(access(path))))).includes(true);
}

async function isOnPath({ program }: Client, { host, env }: ClientOptions): Promise<boolean> {
  const { PATH, Path, PATHEXT } = env;
  if (program === undefined) return false;
  const isWindows = host.platform === "win32";
  const { delimiter, isAbsolute, join } = isWindows ? win32 : posix;
  const extensions = isWindows ? (PATHEXT || ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  const files = (PATH ?? Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => extensions.map((extension) => join(folder, program + extension)));
  return (await Promise.all(files.map(isProgram))).includes(true);
}

async function isProgram(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && succeeds(access(file, constants.X_OK));
}

function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
