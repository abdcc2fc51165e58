import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Opens connections that say `head` and then what `then` does; resolves when all are there. */
export async function openMany(port: number, count: number, head: (i: number) => string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect(port, "127.0.0.1");
    // A reset is one way to lose a place.
    socket.on("error", () => {});
    socket.pause();
    sockets.push(socket);
    await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
    socket.write(head(i));
  }
  return sockets;
}

/** How many of these connections the server still holds, whatever their other end knows of it. */
async function heldBy(serverPort: number, sockets: readonly Socket[]): Promise<number> {
  const own = new Set(sockets.map(({ localPort }) => localPort));
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  // Read while it changes, a table may show a line twice.
  const held = new Set<number>();
  for (const row of tables.join("\n").split("\n")) {
    const [, local = "", remote = "", , , , , , , inode] = row.trim().split(/\s+/);
    const [at = 0, of = 0] = [local, remote].map((address) =>
      Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16),
    );
    // A socket that its process closed has no inode any more.
    if (at === serverPort && own.has(of) && inode !== "0") held.add(of);
  }
  return held.size;
}

/** Waits until the server holds none of them; gives the milliseconds that took. */
export async function untilDropped(port: number, sockets: readonly Socket[], signal: AbortSignal): Promise<number> {
  const from = performance.now();
  for (;;) {
    const held = await heldBy(port, sockets);
    if (held === 0) return performance.now() - from;
    if (signal.aborted) throw new Error(`${held} of ${sockets.length} are still held`);
    await sleep(500);
  }
}

/** Writes a byte a second to each that still takes it. */
export function drip(sockets: readonly Socket[]): NodeJS.Timeout {
  return setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(" ");
  }, 1_000);
}
