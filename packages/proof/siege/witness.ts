/**
 * A process of its own, so that what the abusers cost is not measured as the server's: a well-behaved client that makes
 * a call a second, and a look at `/health` ten times a second.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { exchange } from "./exchange.js";

/** The server that is watched. */
export interface Watched {
  port: number;
  token: string;
  pid: number;
}

/** One look at `/health`. */
export interface HealthSample {
  /** Milliseconds since the epoch, when it was asked. */
  at: number;
  /** Until it was answered, or came to nothing. */
  ms: number;
  /** It was not answered: in time, or at all. */
  lost?: true;
  /** The same look at a program beside it that has nothing else to do: what the machine itself takes. */
  idleMs: number;
  residentMB: number;
}

export interface CallSample {
  at: number;
  ms: number;
  /** Why it was not answered as it should be. */
  failed?: string;
}

export interface Batch {
  health: HealthSample[];
  calls: CallSample[];
  /** Since the server's start. */
  peakMB: number;
}

const HEALTH_EVERY_MS = 100;
const CALL_EVERY_MS = 1_000;
const LIMIT_MS = 10_000;
const BATCH_EVERY_MS = 500;

let watched: Watched | undefined;
let client: Promise<Client> | undefined;
let batch: Batch = { health: [], calls: [], peakMB: 0 };
let count = 0;
let open = 0;

const idle = spawn(
  process.execPath,
  [
    "-e",
    'const s = require("node:http").createServer((_, r) => r.end("ok")).listen(0, "127.0.0.1", () => console.log(s.address().port)); process.stdin.resume().on("end", () => process.exit());',
  ],
  { stdio: ["pipe", "pipe", "inherit"] },
);
let idlePort = 0;
idle.stdout.on("data", (chunk: Buffer) => {
  idlePort = Number(chunk.toString());
});

process.on("message", (message: Watched | "stop") => {
  if (message === "stop") void stop();
  else {
    watched = message;
    client = undefined;
  }
});
process.on("disconnect", () => process.exit());

const timers = [
  setInterval(() => void look(), HEALTH_EVERY_MS),
  setInterval(() => void call(), CALL_EVERY_MS),
  setInterval(hand, BATCH_EVERY_MS),
];

/** Does not wait for the look before it: one that is late must not hide others that would be. */
async function look(): Promise<void> {
  if (watched === undefined || idlePort === 0) return;
  const { port, pid } = watched;
  const at = Date.now();
  const [server, program] = await Promise.all([timed(port), timed(idlePort)]);
  const { residentMB, peakMB } = memoryOf(pid);
  batch.peakMB = Math.max(batch.peakMB, peakMB);
  batch.health.push({ at, ...server, idleMs: program.ms, residentMB });
}

async function timed(port: number): Promise<Pick<HealthSample, "ms" | "lost">> {
  const from = performance.now();
  const reply = await exchange(port, { method: "GET", path: "/health", timeoutMs: LIMIT_MS }).catch(() => undefined);
  const ms = performance.now() - from;
  return reply?.status === 200 ? { ms } : { ms, lost: true };
}

async function call(): Promise<void> {
  if (watched === undefined) return;
  count += 1;
  open += 1;
  const number = count;
  const at = Date.now();
  const from = performance.now();
  let failed: string | undefined;
  try {
    client ??= connected(watched);
    const query = `How high are the tides? play-ok.${number}`;
    const result = await (await client).callTool({ name: "search", arguments: { query } }, undefined, {
      timeout: LIMIT_MS,
    });
    const text = JSON.stringify(result);
    if (result.isError) failed = text.slice(0, 300);
    else if (!text.includes(`Answer ${number}:`)) failed = `another answer: ${text.slice(0, 200)}`;
  } catch (error) {
    failed = (error as Error).message.slice(0, 300);
    // A session that is gone is opened again, as a client does.
    client = undefined;
  } finally {
    open -= 1;
  }
  batch.calls.push({ at, ms: performance.now() - from, ...(failed !== undefined && { failed }) });
}

async function connected({ port, token }: Watched): Promise<Client> {
  const made = new Client({ name: "well-behaved", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await made.connect(transport as Parameters<Client["connect"]>[0], { timeout: LIMIT_MS });
  return made;
}

function memoryOf(pid: number): { residentMB: number; peakMB: number } {
  let status = "";
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    // Gone.
  }
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { residentMB: (kib("VmRSS") * 1_024) / 1e6, peakMB: (kib("VmHWM") * 1_024) / 1e6 };
}

function hand(): void {
  process.send?.(batch);
  batch = { health: [], calls: [], peakMB: 0 };
}

/** Every call that was made is waited for. */
async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const last = await client?.catch(() => undefined);
  await (last?.transport as StreamableHTTPClientTransport | undefined)?.terminateSession().catch(() => {});
  await last?.close().catch(() => {});
  idle.stdin.end();
  hand();
  process.disconnect?.();
}
