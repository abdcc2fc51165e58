import { access, constants, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { loadConfig } from "../../host/load-config.js";
import { CLIENTS, type Client, type ClientOptions } from "./client.js";
import { describeClient } from "./clients.js";
import { type Change, planChange } from "./config-file.js";
import { SetupError } from "./merged.js";

/** One client on this machine. */
export interface ClientState {
  client: Client;
  /** `unreadable`: the configuration cannot be read, and `problem` says why. */
  state: "done" | "installed" | "missing" | "unreadable";
  problem?: string;
  /** With `done`: files of the current folder's project that hold the server. */
  projectFiles: string[];
  /** With `done`: where it keeps researches, if that is not where this shell looks for them. */
  otherFolder?: string;
}

/** Which clients are installed, and which of them know the server already. */
export async function clientStates(options: ClientOptions): Promise<ClientState[]> {
  const clients = CLIENTS.flatMap((name) => describeClient(name, options) ?? []);
  return Promise.all(clients.map((client) => stateOf(client, options)));
}

/** The server's entry in the project of the current folder: a file that cannot be read is the project's matter. */
async function inProject(client: Client, own: Change, options: ClientOptions): Promise<Change | undefined> {
  const ofProject = options.project ? undefined : describeClient(client.name, { ...options, project: true });
  const change = ofProject && (await planChange(ofProject).catch(() => undefined));
  // In the home folder both are one file.
  return change?.entry === undefined || change.file === own.file ? undefined : change;
}

async function stateOf(client: Client, options: ClientOptions): Promise<ClientState> {
  try {
    const own = await planChange(client);
    const project = await inProject(client, own, options);
    const isDone = own.exists && own.before === own.after;
    if (isDone || project !== undefined) {
      const otherFolder = [isDone ? own : undefined, project]
        .map((change) => change && folderOf(change.entry, client, options))
        .find((folder) => folder !== undefined && folder !== folderOf(undefined, { seesShell: true }, options));
      return {
        client,
        state: "done",
        projectFiles: project === undefined ? [] : [project.file],
        ...(otherFolder !== undefined && { otherFolder }),
      };
    }
    return { client, state: (await isInstalled(client, options)) ? "installed" : "missing", projectFiles: [] };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { client, state: "unreadable", problem: error.message, projectFiles: [] };
  }
}

/** Whether anything of the client is on this machine. One that was never started has no folder yet. */
export async function isInstalled(client: Client, options: Pick<ClientOptions, "host" | "env">): Promise<boolean> {
  return (await isThere([...client.files, ...client.traces])) || (await isOnPath(client, options));
}

/** What moves the folder of researches. */
const PLACES = ["GEMINI_SEARCH_CONFIG_DIR", "GEMINI_RESEARCH_CONFIG_DIR", "XDG_CONFIG_HOME"];
/** To a variable of the client: all of the value. */
const REFERENCE = /^\$(?:\{(\w+)\}|(\w+))$/;

/** Where a server with this entry keeps its researches. */
function folderOf(entry: unknown, { seesShell }: Pick<Client, "seesShell">, { env, host }: ClientOptions): string {
  const { env: set = {} } = (entry ?? {}) as { env?: Record<string, unknown> };
  const places = PLACES.map((name) => {
    const value = String(set[name] ?? (seesShell ? env[name] : "") ?? "");
    const [, braced, bare] = REFERENCE.exec(value) ?? [];
    const referred = braced ?? bare;
    return [name, referred === undefined ? value : env[referred]] as const;
  });
  return loadConfig({ env: { ...env, ...Object.fromEntries(places) }, host }).config.configDir;
}

export async function isThere(paths: readonly string[]): Promise<boolean> {
  return (await Promise.all(paths.map((path) => succeeds(access(path))))).includes(true);
}

export async function isOnPath(
  { program }: { program?: string },
  { host, env }: Pick<ClientOptions, "host" | "env">,
): Promise<boolean> {
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
