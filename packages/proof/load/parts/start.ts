/** A store that is away, wrong or full when servers start. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "../../rig/server-process.js";
import type { Ground, Part } from "../part.js";
import { ask } from "../question.js";
import { ROOMY, type World } from "../world.js";
import { until } from "./common.js";

const RECOVERY_MS = 30_000;
/** From a greeting to the answer of a call; the pages say that it takes about a second. */
const ANSWER_MS = 3_000;
const REFUSAL_MS = 20_000;
const ENDING_MS = 3_000;

export const START: Part = {
  name: "start",
  withinMs: () => 240_000,
  async play(ground) {
    await away(ground);
    await wrongPassword(ground);
    if (ground.options.engine === "redis") await evicting(ground);
  },
};

async function away(ground: Ground): Promise<void> {
  const { row } = ground;
  const world = await ground.open({ store: "away", fronts: 1, workers: 1 });
  await world.startAll();
  const [health, ready] = await Promise.all([world.page("/health"), world.page("/ready")]);
  row("`/health` without a store", "200", `${health.status} ${health.text}`, health.status === 200);
  row(
    "`/ready` without a store",
    "503, with the reason",
    `${ready.status} ${ready.text}`,
    ready.status === 503 && ready.text.trim() !== "",
  );
  await clearError(ground, world, "a call without a store");
  const from = performance.now();
  await world.store?.start();
  const came = await untilReady(world);
  row(
    "`/ready` when the store has come",
    `200 within ${RECOVERY_MS / 1_000} s, by itself`,
    came ? `after ${((performance.now() - from) / 1_000).toFixed(1)} s` : "not ready",
    came,
  );
  const { query, tool } = ask("one");
  const caller = await world.caller("one");
  const { answer } = await caller.finish(tool, { query }, RECOVERY_MS);
  row(
    "a call then, done by the worker that was started without a store",
    "a report",
    answer.status ?? `${answer.code} ${answer.message}`,
    answer.success && answer.status !== "running",
  );
  await ground.close(world);
}

export async function untilReady(world: World): Promise<boolean> {
  const limit = AbortSignal.timeout(RECOVERY_MS);
  return until(limit, async () => (await world.page("/ready")).status === 200).then(
    () => true,
    () => false,
  );
}

/** The call may fail as a request or as a tool, but soon, and with words. */
export async function clearError({ row }: Ground, world: World, what: string): Promise<void> {
  const from = performance.now();
  let [seen, holds] = ["", false];
  try {
    const caller = await world.caller("one");
    const { query, tool } = ask("one");
    const { success, code, message } = await caller.call(tool, { query, wait_seconds: 0 }, { timeoutMs: ANSWER_MS });
    seen = success ? "answered as if all were well" : `${code}: ${message}`;
    holds = !success && code !== undefined && message.length > 10;
  } catch (error) {
    // Without a store there may be no session either.
    seen = (error as Error).message;
    holds = /^no session: (?:4|5)\d\d .{10}/.test(seen);
  }
  const seconds = (performance.now() - from) / 1_000;
  row(
    what,
    `an error that says why, within ${ANSWER_MS / 1_000} s`,
    `${seconds.toFixed(1)} s, ${seen}`,
    holds && seconds * 1_000 <= ANSWER_MS && !world.secrets.some((word) => seen.includes(word)),
  );
}

async function wrongPassword(ground: Ground): Promise<void> {
  const world = await ground.open({ tenants: { one: ROOMY } });
  const env = { MCP_SERVER_QUEUE: world.store?.wrongUrl ?? "" };
  const says = /password|authenticat|WRONGPASS|NOAUTH/i;
  for (const [role, start] of [
    ["a front", () => world.spawnFront(env)],
    ["a worker", () => world.startWorker(env)],
  ] as const) {
    const { ended, said } = await startsBadly(await start(), says);
    ground.row(
      `${role} with a wrong password for the store`,
      "ends with an error, or says on stderr what is wrong; never the password",
      `${ended ?? "goes on"}; ${said}`,
      says.test(said) && !said.includes("wrong@") && !said.includes(":wrong"),
    );
  }
  await world.remove();
}

async function evicting(ground: Ground): Promise<void> {
  const settings = ["--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru"];
  const world = await ground.open({ settings });
  for (const [role, start] of [
    ["a front", () => world.spawnFront()],
    ["a worker", () => world.startWorker()],
  ] as const) {
    const { ended, said } = await startsBadly(await start(), /maxmemory-policy/);
    ground.row(
      `${role} on a Redis with \`maxmemory-policy allkeys-lru\``,
      "refuses to start: exit code not 0, names `maxmemory-policy` and noeviction",
      `${ended ?? "goes on"}; ${said}`,
      ended !== undefined && ended !== "exit 0" && /maxmemory-policy/.test(said) && /noeviction/.test(said),
    );
  }
  await world.remove();
}

/** What a server says that is not to work, and how it ended, if it did. */
async function startsBadly(server: ServerProcess, says: RegExp): Promise<{ ended: string | undefined; said: string }> {
  const exit = server.exited.then(({ code, signal }) => (signal === null ? `exit ${code}` : signal));
  const over = sleep(REFUSAL_MS, undefined, { ref: false });
  await Promise.race([exit, server.said(says).catch(() => {}), over]);
  // It may say it first, and end a moment later.
  const ended = await Promise.race([exit, sleep(ENDING_MS, undefined, { ref: false })]);
  return { ended, said: server.stderr.trim() };
}
