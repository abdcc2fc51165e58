import { posix, win32 } from "node:path";
import { readText } from "@x/owned-files";
import { type ByHand, CLIENTS_BY_HAND } from "./by-hand.js";
import type { ClientOptions } from "./client.js";
import { isOnPath, isThere } from "./client-states.js";
import { readJson } from "./merge-json.js";

/** A client that is set up by hand, on this machine. */
export interface ByHandState {
  title: string;
  state: "done" | "installed" | "missing";
  /** The file that has the server, or that is to have it. */
  file: string;
}

export function byHandStates(options: ClientOptions): Promise<ByHandState[]> {
  return Promise.all(CLIENTS_BY_HAND.map((client) => stateOf(client, options)));
}

async function stateOf(
  { title, program, file, projectFile, group }: ByHand,
  options: ClientOptions,
): Promise<ByHandState> {
  const { homeDir, cwd, platform } = options.host;
  const { dirname, join } = platform === "win32" ? win32 : posix;
  const own = join(homeDir, ...file);
  const files = [...(projectFile === undefined ? [] : [join(cwd, ...projectFile)]), own];
  for (const each of files) if (await holdsServer(each, group)) return { title, state: "done", file: each };
  const isInstalled = (await isThere([own, dirname(own)])) || (await isOnPath({ program }, options));
  return { title, state: isInstalled ? "installed" : "missing", file: own };
}

/** Whether a file has an entry that starts this server, under whatever name. */
async function holdsServer(file: string, group: string): Promise<boolean> {
  try {
    const servers = Object.values((readJson(await readText(file))[group] ?? {}) as object);
    return servers.some((entry) => /@x\/mcp-server|x-research/.test(JSON.stringify(entry)));
  } catch {
    // Not there, or not to be read: it is the person's own file.
    return false;
  }
}
