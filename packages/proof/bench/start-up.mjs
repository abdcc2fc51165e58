/** Start, idle memory and tool list of every server, round by round, so that each round sees the same machine. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { observable, residentMiB, treeOf } from "../measure/process-tree.mjs";
import { startStdioServer } from "./stdio-server.mjs";

/** How long a server is left alone before its memory is read: what it loads late is loaded then. */
const IDLE_MS = 1_500;

/**
 * @returns for each server: `initializeMs`, `toolsMs`, `exitMs`, `memoryMiB` (one value a round), `tools`, `foreignLines`
 */
export async function measureStartUp(servers, { rounds, scratch, path }) {
  const measured = servers.map(() => ({ initializeMs: [], toolsMs: [], exitMs: [], memoryMiB: [], foreignLines: 0 }));
  for (let round = -1; round < rounds; round++) {
    // Another order each round; round -1 brings the files into the page cache and is not counted.
    for (let i = 0; i < servers.length; i++) {
      const at = (i + round + servers.length) % servers.length;
      const { initializeMs, toolsMs, exitMs, tools, foreignLines } = await once(servers[at], { scratch, path });
      const own = measured[at];
      own.tools = tools;
      own.foreignLines += foreignLines;
      if (round < 0) continue;
      own.initializeMs.push(initializeMs);
      own.toolsMs.push(toolsMs);
      own.exitMs.push(exitMs);
    }
  }
  for (let round = 0; observable && round < 3; round++) {
    for (const [at, server] of servers.entries()) {
      const { memoryMiB } = await once(server, { scratch, path, idleMs: IDLE_MS });
      measured[at].memoryMiB.push(memoryMiB);
    }
  }
  return measured;
}

async function once({ script, env, name }, { scratch, path, idleMs = 0 }) {
  const home = join(scratch, "homes", name.replace("/", "+"));
  mkdirSync(home, { recursive: true });
  const server = startStdioServer(script, { cwd: home, env: { PATH: path, HOME: home, ...env } });
  try {
    const greeting = await server.greet();
    if (idleMs > 0) await sleep(idleMs);
    const memoryMiB = observable ? treeOf(server.pid).reduce((sum, pid) => sum + residentMiB(pid), 0) : Number.NaN;
    const exitMs = await server.end();
    return { ...greeting, memoryMiB, exitMs, foreignLines: server.foreignLines() };
  } finally {
    await server.end();
  }
}
