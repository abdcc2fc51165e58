/** One front is as good as another. */
import { messagesOf } from "../../siege/exchange.js";
import { EVERY_ENGINE, type Ground, type Part } from "../part.js";
import { ask } from "../question.js";
import type { World } from "../world.js";
import { until } from "./common.js";

const LIMIT_MS = 60_000;

export const FRONTS: Part = {
  name: "fronts",
  engines: EVERY_ENGINE,
  withinMs: () => 240_000,
  async play(ground) {
    const world = await ground.open({});
    await world.startAll();
    const [first, last] = [0, world.ports.length - 1];
    const pages = await Promise.all([first, last].map((front) => world.page("/health", front)));
    ground.row(
      "`/health` of each front",
      "200",
      pages.map(({ status }) => status).join(", "),
      pages.every(({ status }) => status === 200),
    );
    if (world.store) await readyRow(ground, world);
    await sameReport(ground, world, first, last);
    await progress(ground, world, first, last);
    await joined(ground, world, first, last);
    await ground.close(world);
  },
};

async function readyRow({ row }: Ground, world: World): Promise<void> {
  let seen = "";
  const holds = await until(AbortSignal.timeout(30_000), async () => {
    const { status, text } = await world.page("/ready");
    seen = `${status} ${text}`;
    return status === 200;
  }).then(
    () => true,
    () => false,
  );
  row("`/ready` of a front", "200 with the store there", seen, holds);
}

async function sameReport({ row }: Ground, world: World, first: number, last: number): Promise<void> {
  const caller = await world.caller("one");
  const { query, tool } = ask("one");
  const { answer } = await caller.finish(tool, { query }, LIMIT_MS);
  const args = { job_id: answer.jobId, wait_seconds: 0 };
  const again = await Promise.all([first, last].map((front) => caller.call("research_result", args, { front })));
  const same = again.every(({ success, result }) => success && result === answer.result);
  row(
    "a finished report is read from either front, in one session",
    "the same report",
    same ? "the same" : again.map(({ code, message, result }) => `${code ?? ""} ${message} ${result}`).join(" | "),
    answer.success && same,
  );
  const resources = await Promise.all(
    [first, last].map((front) => caller.request("resources/read", { uri: `report://${answer.jobId}` }, { front })),
  );
  const texts = resources.map(({ answer }) => JSON.stringify(answer?.["result"] ?? answer?.["error"] ?? "nothing"));
  row(
    "its resource is read from either front",
    "the same text",
    texts[0] === texts[1] ? "the same" : texts.join(" | "),
    texts[0] === texts[1] && texts[0]?.includes("Tides of") === true,
  );
}

async function progress({ row }: Ground, world: World, first: number, last: number): Promise<void> {
  const caller = await world.caller("one");
  const { mark, query, tool } = ask("one", { rounds: 4, ms: 1_000 });
  const { jobId } = await caller.call(tool, { query, wait_seconds: 0 }, { front: first });
  await world.log.until(LIMIT_MS, (runs) => runs.some((run) => run.mark === mark));
  const { reply, answer } = await caller.request(
    "tools/call",
    { name: "research_result", arguments: { job_id: jobId, wait_seconds: 30 }, _meta: { progressToken: "p" } },
    { front: last },
  );
  const heard = messagesOf(reply).filter(({ method }) => method === "notifications/progress").length;
  row(
    "progress of a job that one front took is heard at the other",
    "at least 2 notifications",
    `${heard}${answer?.["result"] ? "" : `; ${JSON.stringify(answer?.["error"] ?? reply.text.slice(0, 120))}`}`,
    heard >= 2,
  );
}

async function joined({ row }: Ground, world: World, first: number, last: number): Promise<void> {
  const [a, b] = await Promise.all([world.caller("one"), world.caller("one")]);
  const { mark, query, tool } = ask("one", { ms: 1_000 });
  const answers = await Promise.all([
    a.call(tool, { query, wait_seconds: 30 }, { front: first }),
    b.call(tool, { query, wait_seconds: 30 }, { front: last }),
  ]);
  const ids = new Set(answers.map(({ jobId }) => jobId));
  const runs = await world.log.runs(mark);
  row(
    "one question of one tenant at both fronts at once",
    "one job, one run",
    `${ids.size} job, ${runs.length} run; ${answers.map(({ status, code }) => status ?? code).join(", ")}`,
    ids.size === 1 && runs.length === 1 && answers.every(({ success }) => success),
  );
}
