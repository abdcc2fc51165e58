import { access } from "node:fs/promises";
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
  return Promise.all(clients.map(stateOf));
}

async function stateOf(client: Client): Promise<ClientState> {
  try {
    const { before, after, exists } = await planChange(client);
    if (exists && before === after) return { client, state: "done" };
    return { client, state: (await isThere([...client.files, ...client.traces])) ? "installed" : "missing" };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { client, state: "unreadable", problem: error.message };
  }
}

async function isThere(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
