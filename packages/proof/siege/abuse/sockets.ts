/** Connections that are kept open and not used as they should be. */
import type { Socket } from "node:net";
import { must } from "../../fuzz/target.js";
import { drip, openMany, untilDropped } from "../connections.js";
import type { Abuse, Ground, Group } from "../ground.js";
import { longReport } from "./crowds.js";

/** A minute, and what a server may take to look around on a busy machine. */
const PLACE_LOST_MS = 70_000;
const READERS = 100;
const SLOW = 50;
const LARGE = 60;
const MIB = 2 ** 20;
/** The system itself takes megabytes for a connection whose other side reads nothing more. */
const MOST_TAKEN = 8 * MIB;

/** The beginning of a request that goes on for ever, by what it goes on with, and a part of that. */
const ENDLESS: Readonly<Record<string, [head: string, part: string]>> = {
  "a header": ["x-long: ", "x".repeat(1_000)],
  headers: ["", "x-more: 1\r\n".repeat(100)],
  trailers: ["transfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n", "x-more: 1\r\n".repeat(100)],
  "an extension of a chunk": ["transfer-encoding: chunked\r\n\r\n1;x=", "x".repeat(1_000)],
};

export const SOCKETS: Group = {
  name: "Connections",
  abuses: [
    {
      name: "slow bodies",
      sent: `${SLOW} requests whose bodies come a byte a second`,
      expected: "all have lost their place within 70 s",
      withinMs: PLACE_LOST_MS + 10_000,
      beside: true,
      play: (ground) => slowly(ground, SLOW, () => `${post(ground, { "content-length": "100000" })}\r\n{`),
    },
    {
      name: "slow heads",
      sent: `${SLOW} requests whose headers come a byte a second`,
      expected: "all have lost their place within 70 s",
      withinMs: PLACE_LOST_MS + 10_000,
      beside: true,
      play: (ground) => slowly(ground, SLOW, () => `${post(ground, {})}x-slow: `),
    },
    {
      name: "readers that do not read",
      sent: `${READERS} × \`resources/read\` of a report of 5 MB, of whose answer nothing is read`,
      expected: "all have lost their place within 70 s",
      withinMs: PLACE_LOST_MS + 25_000,
      beside: true,
      async play(ground) {
        const jobId = await longReport(ground);
        const peer = await ground.open();
        const { headers } = peer;
        return slowly(
          ground,
          READERS,
          (i) => {
            const params = { uri: `report://${jobId}` };
            const body = JSON.stringify({ jsonrpc: "2.0", id: `r${i}`, method: "resources/read", params });
            return `${post(ground, { ...headers, "content-length": String(body.length) })}\r\n${body}`;
          },
          false,
        );
      },
    },
    {
      name: "large bodies that stop before their end",
      sent: `${LARGE} requests with 1 MB of a body, and nothing after it`,
      expected: "those that are too many are refused, and a newcomer is answered",
      withinMs: 30_000,
      async play(ground) {
        const head = post(ground, { "content-length": "1040000" });
        const sockets = await openMany(ground.port, LARGE, () => `${head}\r\n${`{"x":"`.padEnd(1_000_000, "x")}`);
        ground.later(() => close(sockets));
        const refused = (await Promise.all(sockets.map((socket) => isRefused(socket, 5_000)))).filter(Boolean).length;
        must(refused > LARGE / 2, () => `${LARGE - refused} may stay`);
        const peer = await ground.open();
        const { answer } = await peer.request("ping");
        must(answer?.["result"] !== undefined, () => `a newcomer is answered ${JSON.stringify(answer).slice(0, 120)}`);
        return `${refused} refused, ${LARGE - refused} wait`;
      },
    },
    ...Object.keys(ENDLESS).map(endless),
    {
      name: "streams nobody listens to",
      sent: "200 × `GET /mcp` for events, of one session and of none",
      expected: "refused, or gone with their connection",
      withinMs: 20_000,
      async play(ground) {
        const peer = await ground.open();
        const head = (headers: Record<string, string>) => lines("GET", ground, headers);
        const sockets = await openMany(
          ground.port,
          200,
          (i) =>
            `${head(i % 2 === 0 ? { ...peer.headers, accept: "text/event-stream" } : { ...peer.headers, "mcp-session-id": `none-${i}` })}\r\n`,
        );
        return vanish(ground, sockets);
      },
    },
    {
      name: "clients that vanish in a request",
      sent: "200 requests that are cut in the middle of the body by a reset",
      expected: "gone with their connection",
      withinMs: 20_000,
      async play(ground) {
        const sockets = await openMany(
          ground.port,
          200,
          () => `${post(ground, { "content-length": "3000000" })}\r\n{"jsonrpc":`,
        );
        return vanish(ground, sockets);
      },
    },
    {
      name: "1,000 requests in one go",
      sent: "`GET /health` behind one another on a connection (pipelining)",
      expected: "answered or closed",
      withinMs: 20_000,
      async play(ground) {
        const [socket] = await openMany(ground.port, 1, () =>
          `${lines("GET", ground, {}, "/health")}\r\n`.repeat(1_000),
        );
        must(socket !== undefined, () => "no connection");
        socket?.resume();
        const ms = await untilDropped(ground.port, socket === undefined ? [] : [socket], ground.signal);
        return `closed after ${(ms / 1_000).toFixed(1)} s`;
      },
    },
    {
      name: "500 connections that say nothing",
      sent: "nothing, from 500 connections at once",
      expected: "a newcomer is answered",
      withinMs: 20_000,
      async play(ground) {
        const sockets = await openMany(ground.port, 500, () => "");
        ground.later(() => close(sockets));
        const peer = await ground.open();
        const { answer } = await peer.request("ping");
        must(answer?.["result"] !== undefined, () => `a newcomer is answered ${JSON.stringify(answer).slice(0, 120)}`);
        return vanish(ground, sockets);
      },
    },
  ],
};

/** A connection that sends what never ends, as fast as the server takes it. */
function endless(what: string): Abuse {
  const [head, part] = ENDLESS[what] as [string, string];
  return {
    name: `${what} without end`,
    sent: "as much as the server takes, at most 128 MiB, on each of 10 connections",
    expected: "each is closed before 8 MiB, with what the system itself takes",
    withinMs: 15_000,
    async play(ground) {
      const { port, signal } = ground;
      const sockets = await openMany(port, 10, () => post(ground, {}) + head);
      ground.later(() => close(sockets));
      for (const socket of sockets) socket.resume();
      await Promise.all(sockets.map((socket) => pourInto(socket, part, 128 * MIB)));
      await untilDropped(port, sockets, AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
      const most = Math.max(...sockets.map(({ bytesWritten, writableLength }) => bytesWritten - writableLength));
      must(most <= MOST_TAKEN, () => `${(most / MIB).toFixed(1)} MiB were taken`);
      return `closed after ${(most / MIB).toFixed(1)} MiB at most`;
    },
  };
}

/** Writes the same again and again, as fast as it is taken, until the other side hangs up. */
async function pourInto(socket: Socket, part: string, most: number): Promise<void> {
  while (!socket.destroyed && socket.writable && socket.bytesWritten < most) {
    if (!socket.write(part)) {
      await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve).once("error", resolve));
    }
  }
}

/** Opens connections that never come to their end, and waits until the server has closed all of them. */
async function slowly(ground: Ground, count: number, head: (i: number) => string, dripping = true): Promise<string> {
  const sockets = await openMany(ground.port, count, head);
  ground.later(() => close(sockets));
  if (dripping) {
    const timer = drip(sockets);
    ground.later(() => clearInterval(timer));
    for (const socket of sockets) socket.resume();
  }
  const limit = AbortSignal.any([ground.signal, AbortSignal.timeout(PLACE_LOST_MS)]);
  const ms = await untilDropped(ground.port, sockets, limit);
  return `all closed after ${(ms / 1_000).toFixed(0)} s`;
}

/** The connections break; the server must see it. */
async function vanish({ port, signal }: Ground, sockets: readonly Socket[]): Promise<string> {
  for (const socket of sockets) socket.resetAndDestroy();
  const ms = await untilDropped(port, sockets, AbortSignal.any([signal, AbortSignal.timeout(10_000)]));
  return `all gone after ${(ms / 1_000).toFixed(1)} s`;
}

/** Whether a connection is answered or closed within the time. */
function isRefused(socket: Socket, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, limitMs, false);
    for (const event of ["data", "close"]) {
      socket.once(event, () => {
        clearTimeout(limit);
        resolve(true);
      });
    }
    socket.resume();
  });
}

function close(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

function post(ground: Ground, headers: Record<string, string>): string {
  return lines("POST", ground, {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  });
}

/** The head of a request, its last line still open. */
function lines(method: string, { port, token }: Ground, headers: Record<string, string>, path = "/mcp"): string {
  const all = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, ...headers };
  return [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), ""].join(
    "\r\n",
  );
}
