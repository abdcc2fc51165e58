/** The ways in which a fault meets a tool. Each gives what the table says of it; what is wrong goes to the problems. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ModelCall, Reply } from "@x/gemini-runner/testing";
import type { FakeStep } from "../rig/fake-gemini.js";
import {
  descriptorsOf,
  filesOf,
  grown,
  isOfPool,
  isRecordLock,
  lastOf,
  processesOf,
  servesMany,
  watchesOver,
} from "../rig/leftovers.js";
import type { Expected, Fault } from "./fault.js";
import {
  type Answer,
  type Connected,
  EXIT_LIMIT_MS,
  type ToolName,
  type Way,
  type World,
  wellAnswered,
} from "./world.js";

/** How long the processes and files of a run may be there after its end was told. */
const SETTLE_MS = 2_000;
/** How long a cancelled call may take to end its CLI. */
export const CANCEL_LIMIT_MS = 4_000;

/**
 * Over HTTP a stream of the client, three of the process that serves the runs, and one of what watches over it are there for longer
 * than a call.
 */
const KEPT_SOCKETS: Record<Way, readonly string[]> = { stdio: [], http: Array<string>(5).fill("socket:[0]") };

export interface Faulty {
  /** Brings the fault about, before the server is started. */
  arrange: (world: World) => Promise<void> | void;
  /** Takes it away again. Default: nothing but a model that answers well. */
  heal?: (world: World) => Promise<void> | void;
  /** Happens while the tool is being called. */
  meanwhile?: (world: World, connected: Connected) => Promise<void>;
  /** Resolves when the fault holds a run: then it can be cancelled. Default: when its CLI is there. */
  held?: (world: World) => Promise<unknown>;
  expected: Expected | ((tool: ToolName, way: Way) => Expected);
  /** Looks at more than the answer, and throws what is wrong. */
  inspect?: (world: World, tool: ToolName) => void;
}

/** The fault is there when a tool is called, and gone when the next one is. */
export function during(faulty: Faulty): Fault["play"] {
  return async (world, tool, withinMs) => {
    await faulty.arrange(world);
    const connected = await world.connect();
    const { server, client } = connected;
    const before = [...(await descriptorsOf(server.pid)), ...KEPT_SOCKETS[world.way]];
    const from = performance.now();
    const [answer] = await Promise.all([
      tool === "research_cancel" ? begunThenCancelled(world, connected, faulty.held) : world.ask(client, tool),
      faulty.meanwhile?.(world, connected),
    ]);
    const ms = performance.now() - from;
    const limit = tool === "deep_search" || tool === "research_result" ? 2 * withinMs : withinMs;
    inTime(world, ms, limit);
    const { expected } = faulty;
    check(world, tool, answer, typeof expected === "function" ? expected(tool, world.way) : expected);
    faulty.inspect?.(world, tool);
    await nothingRuns(world, [server.pid]);
    await (faulty.heal ?? (({ model }) => model.use(wellAnswered)))(world);
    await answersAgain(world, client);
    await nothingRuns(world, [server.pid]);
    const open = await lastOf(async () => grown(before, await descriptorsOf(server.pid)), SETTLE_MS);
    if (open.length > 0) world.problems.push(`descriptors stay open: ${open.join(", ")}`);
    return `${answer.error?.code ?? answer.status ?? "answered"} ${seconds(ms)}`;
  };
}

/** The real CLI meets a model that does this for its own turn. */
export function ofModel(
  turn: (call: ModelCall) => Reply,
  expected: Faulty["expected"],
  more: Partial<Faulty> = {},
): Fault["play"] {
  return during({
    arrange: ({ model }) => model.use((call) => (call.kind === "main" ? turn(call) : undefined)),
    expected,
    held: ({ model }) => model.waitFor("main"),
    ...more,
  });
}

/** A CLI that does this; then the real one is there again. */
export function ofFake(
  steps: readonly FakeStep[],
  expected: Faulty["expected"],
  more: Partial<Faulty> = {},
): Fault["play"] {
  return during({
    arrange: ({ sandbox }) => sandbox.installFake(steps),
    heal: ({ sandbox }) => sandbox.installCli(),
    expected,
    ...more,
  });
}

async function begunThenCancelled(world: World, { server, client }: Connected, held: Faulty["held"]): Promise<Answer> {
  const job_id = await world.begin(client);
  if (held !== undefined) await held(world);
  else await until(async () => (await processesOf(world.sandbox, [server.pid])).some((each) => !watchesOver(each)));
  const from = performance.now();
  const answer = await world.call(client, "research_cancel", { job_id });
  const ms = performance.now() - from;
  inTime(world, ms, CANCEL_LIMIT_MS);
  return answer;
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10);
}

export function check(world: World, tool: ToolName, answer: Answer, expected: Expected): void {
  const { problems } = world;
  if (tool === "research_cancel") {
    if (answer.status !== "cancelled") problems.push(`is ${answer.status ?? answer.error?.code}, not cancelled`);
    return;
  }
  if (expected.success) {
    if (!answer.success) problems.push(`failed: ${said(answer)}`);
    else if (expected.holds && !expected.holds(answer)) problems.push("the answer is not what it should be");
    return;
  }
  const code = tool === "deep_research" ? olderCode(expected.code) : expected.code;
  if (answer.success) problems.push(`answered, where ${code} was expected`);
  else {
    if (answer.error?.code !== code) problems.push(`${said(answer)}, where ${code} was expected`);
    if (!expected.says.test(said(answer))) problems.push(`does not say ${expected.says}: ${said(answer)}`);
    if (/^\s+at .+:\d+:\d+\)?$/m.test(said(answer))) problems.push(`shows a stack: ${said(answer)}`);
    if (/\/runs\/|gemini-client-error/.test(said(answer))) problems.push(`names a file that is gone: ${said(answer)}`);
  }
}

/** The codes of the older tool. */
function olderCode(code: string): string {
  return ["CLI_NOT_FOUND", "RESEARCH_FAILED", "UNEXPECTED_ERROR"].includes(code) ? code : "EXECUTION_ERROR";
}

function said({ error, status }: Answer): string {
  return error === undefined
    ? String(status)
    : [`${error.code}: ${error.message}`, error.details].filter(Boolean).join("\n");
}

/** The next call is answered. */
export async function answersAgain(world: World, client: Client): Promise<void> {
  const next = await world.call(client, "search", { query: "And how low?" });
  if (!next.success) world.problems.push(`the next call failed: ${said(next)}`);
}

/**
 * No process but these is there and no file, now or very soon. While a server over HTTP is there, so may be the one process that
 * serves its runs, with what it holds, and the one that watches over it.
 */
export async function nothingRuns(
  world: World,
  except: readonly number[],
  limitMs = SETTLE_MS,
  mayStay: (file: string) => boolean = () => false,
): Promise<void> {
  const { sandbox } = world;
  const mayServe = world.way === "http" && except.length > 0 ? 1 : 0;
  const processes = await lastOf(async () => {
    const found = await processesOf(sandbox, except);
    const serving = [servesMany, watchesOver].flatMap((is) => found.filter(is).slice(0, mayServe));
    return found.filter((each) => !serving.includes(each));
  }, limitMs);
  for (const { pid, state, command } of processes)
    world.problems.push(`process ${pid} (${state}) stays: ${command.slice(0, 100)}`);
  const files = await lastOf(async () => {
    const found = (await filesOf(sandbox)).filter((file) => !mayStay(file));
    return mayServe === 0 ? found : found.filter((file) => !isOfPool(file));
  }, limitMs);
  if (files.length > 0) world.problems.push(`${files.length} files stay: ${files.slice(0, 4).join(", ")}`);
}

export function inTime({ problems }: World, ms: number, limitMs: number): void {
  if (ms > limitMs) problems.push(`took ${seconds(ms)}, more than ${seconds(limitMs)}`);
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** The same after a server was killed. What it wrote at that moment is the next one's to clean up. */
export function nothingRunsOfKilled(world: World, limitMs: number): Promise<void> {
  return nothingRuns(world, [], limitMs, isRecordLock);
}

/** Nor is that there any more when the next server has kept a record. */
export async function noLockStays({ sandbox, problems }: World): Promise<void> {
  const locks = await lastOf(async () => (await filesOf(sandbox)).filter(isRecordLock), SETTLE_MS);
  if (locks.length > 0) problems.push(`the next server left ${locks.join(", ")}`);
}

/** Waits for the end of a server that something else brought about, and tells of one that does not end in time. */
export async function endsSoon(world: World, { server }: Connected, from: number): Promise<number> {
  const end = await server.exitFrom(from);
  if (end === undefined) {
    world.problems.push("the server did not end; it was killed");
    return performance.now() - from;
  }
  if (end.ms > EXIT_LIMIT_MS) world.problems.push(`the server took ${Math.round(end.ms)} ms to end`);
  return end.ms;
}
