/** What one tenant does to see something of another. Each attempt is compared with the same one at what does not exist. */
import { randomUUID } from "node:crypto";
import { median } from "../../measure/statistics.mjs";
import type { Caller } from "../caller.js";
import type { Ground, Part } from "../part.js";
import { ask } from "../question.js";
import type { World } from "../world.js";
import { must } from "./common.js";

const LIMIT_MS = 60_000;
/** Of the medians; a shared machine makes more noise than that in a single call. */
const TIMING_MS = 5;
const OWN_READS = 5;
/** Of the report that would take long to read, in characters. */
const LARGE = 5_000_000;
const ID = "same";

/** Gives the whole answer as it came. */
type Attempt = (caller: Caller, id: string, front: number) => Promise<string>;

const tool =
  (name: string, more: object = {}): Attempt =>
  async (caller, job_id, front) =>
    (await caller.call(name, { job_id, ...more }, { front, id: ID })).reply.text;

const request =
  (method: string, paramsOf: (id: string) => object): Attempt =>
  async (caller, id, front) =>
    (await caller.request(method, paramsOf(id), { front, id: ID })).reply.text;

const WITH_ID: readonly [what: string, attempt: Attempt][] = [
  ["`research_result`", tool("research_result", { wait_seconds: 0 })],
  ["`research_result` that waits, with a progress token", tool("research_result", { wait_seconds: 2 })],
  ["`research_result`, page 2", tool("research_result", { page: 2, wait_seconds: 0 })],
  ["`research_result` with `detail`", tool("research_result", { detail: "full", wait_seconds: 0 })],
  ["`research_cancel`", tool("research_cancel")],
  ["`resources/read`", request("resources/read", (id) => ({ uri: `report://${id}` }))],
  ["`resources/subscribe`", request("resources/subscribe", (id) => ({ uri: `report://${id}` }))],
  [
    "`completion/complete`",
    request("completion/complete", (id) => ({
      ref: { type: "ref/resource", uri: "report://{job_id}" },
      argument: { name: "job_id", value: id.slice(0, -1) },
    })),
  ],
];

/** A new research that stands on another one, where there is such a thing. */
const FOLLOW_UP: Attempt = (caller, id, front) => {
  const args = { query: ask("two").query, follow_up_of: id, wait_seconds: 0 };
  return request("tools/call", () => ({ name: "search", arguments: args }))(caller, id, front);
};

export const WALLS: Part = {
  name: "tenants",
  withinMs: () => 300_000,
  async play(ground) {
    const world = await ground.open({});
    await world.startAll();
    const [owner, other] = await Promise.all([world.caller("one"), world.caller("two")]);
    const done = ask("one", { rounds: 2, ms: 100 });
    const finished = (await owner.finish(done.tool, { query: done.query }, LIMIT_MS)).answer;
    must(finished.success && finished.jobId !== undefined, `no job: ${finished.code} ${finished.message}`);
    const hanging = ask("one", { doing: "hang", ms: 0 });
    const begun = await owner.call(hanging.tool, { query: hanging.query, wait_seconds: 0 });
    must(begun.jobId !== undefined, `no job: ${begun.code} ${begun.message}`);
    await world.log.until(LIMIT_MS, (runs) => runs.some(({ mark }) => mark === hanging.mark));

    const jobs = { finished: String(finished.jobId), running: String(begun.jobId) };
    for (const [what, attempt] of WITH_ID) await withId(ground, other, { what, attempt, jobs });
    const { reply } = await other.request("tools/list");
    if (reply.text.includes("follow_up_of")) {
      await withId(ground, other, { what: "`search` with `follow_up_of`", attempt: FOLLOW_UP, jobs });
    }
    await lists(ground, other, [...Object.values(jobs), done.mark, hanging.mark]);
    await sameQuestion(ground, world, other, { ...done, jobId: jobs.finished });
    await foreignSession(ground, owner, other);
    await foreignCancel(ground, world, owner, other);
    await timing(ground, owner, other);
    await unharmed(ground, owner, jobs);
    await wrongTokens(ground, world);
    await owner.call("research_cancel", { job_id: jobs.running });
    await ground.close(world);
  },
};

interface Trial {
  what: string;
  attempt: Attempt;
  jobs: Readonly<Record<string, string>>;
}

/** At both fronts, of both jobs. */
async function withId({ row }: Ground, other: Caller, { what, attempt, jobs }: Trial): Promise<void> {
  const differences: string[] = [];
  let seen = "";
  for (const [front, [state, id]] of Object.entries(jobs).flatMap((job) =>
    [0, 1].map((front) => [front, job] as const),
  )) {
    const unknown = unknownLike(id);
    const theirs = without(await attempt(other, id, front), id);
    const nobodys = without(await attempt(other, unknown, front), unknown);
    if (theirs !== nobodys) differences.push(`${state}: ${theirs.slice(0, 120)} … unknown: ${nobodys.slice(0, 120)}`);
    seen = theirs;
  }
  row(
    `another's job by ${what}`,
    "byte for byte like an unknown id",
    differences[0] ?? `the same: ${seen.slice(0, 100)}`,
    differences.length === 0 && seen !== "",
  );
}

/** The id, and what of it was sent; times of an event's own are its. */
function without(text: string, id: string): string {
  return text.replaceAll(id, "ID").replaceAll(id.slice(0, -1), "ID");
}

async function lists({ row }: Ground, other: Caller, words: readonly string[]): Promise<void> {
  for (const method of ["resources/list", "resources/templates/list", "prompts/list", "tools/list"]) {
    let text = "";
    let cursor: unknown;
    do {
      const { reply, answer } = await other.request(method, cursor === undefined ? {} : { cursor });
      text += reply.text;
      cursor = (answer?.["result"] as { nextCursor?: unknown } | undefined)?.nextCursor;
    } while (cursor !== undefined);
    const found = words.find((word) => text.includes(word));
    row(`another's jobs in \`${method}\``, "none", found ?? "none", found === undefined && text !== "");
  }
}

async function sameQuestion(
  { row }: Ground,
  world: World,
  other: Caller,
  { mark, query, tool, jobId }: ReturnType<typeof ask> & { jobId: string },
): Promise<void> {
  const before = (await world.log.runs(mark)).length;
  const { answer } = await other.finish(tool, { query }, LIMIT_MS);
  const runs = (await world.log.runs(mark)).length - before;
  row(
    "another's question in the same words",
    "a job and runs of its own",
    `${answer.jobId === jobId ? "the same job" : "its own job"}, ${runs} runs`,
    answer.success && answer.jobId !== jobId && runs > 0,
  );
}

async function foreignSession({ row }: Ground, owner: Caller, other: Caller): Promise<void> {
  if (owner.session === undefined) {
    row("another's session", "like an unknown one", "there are no sessions", true);
    return;
  }
  const unknown = randomUUID();
  const ask = async (caller: Caller, word: string) => {
    const { reply } = await caller.request("tools/list", {}, { id: ID });
    return `${reply.status} ${reply.text.replaceAll(word, "ID")}`;
  };
  const theirs = await ask(other.withSessionOf(owner), owner.session);
  const nobodys = await ask(other.withSessionOf(unknown), unknown);
  row(
    "another's session",
    "like an unknown one",
    theirs === nobodys ? theirs : `${theirs} … ${nobodys}`,
    theirs === nobodys,
  );
}

/** A call that waits is cancelled by its id: in another's session, then in its own, which shows that the id is right. */
async function foreignCancel({ row }: Ground, world: World, owner: Caller, other: Caller): Promise<void> {
  const requestId = randomUUID();
  const asked = ask("one", { ms: 4_000 });
  const waiting = owner.call(asked.tool, { query: asked.query, wait_seconds: 30 }, { id: requestId, front: 0 });
  await world.log.until(LIMIT_MS, (runs) => runs.some(({ mark }) => mark === asked.mark));
  const cancel = (caller: Caller, id: string, front: number) =>
    caller.notify("notifications/cancelled", { requestId: id, reason: "it is mine" }, front);
  const statuses = await Promise.all([0, 1].map((front) => cancel(other, requestId, front)));
  const nobodys = await cancel(other, randomUUID(), 0);
  const answer = await waiting;
  row(
    "another's call that waits, cancelled by the id of its request",
    "taken like an unknown id, and the call gets its report",
    `${statuses.join(", ")}, unknown: ${nobodys}; ${answer.status ?? answer.code}`,
    statuses.every((status) => status === nobodys) && answer.status === "completed",
  );
  const again = ask("one", { doing: "hang", ms: 0 });
  const ownId = randomUUID();
  const cancelled = owner.call(again.tool, { query: again.query, wait_seconds: 30 }, { id: ownId, front: 0 });
  await world.log.until(LIMIT_MS, (runs) => runs.some(({ mark }) => mark === again.mark));
  await cancel(owner, ownId, 0);
  const ended = await cancelled;
  row(
    "the same by its own client",
    "the call ends without a report",
    `${ended.code}: ${ended.message}`,
    !ended.success,
  );
}

/** Interleaved, so that what slows one slows the other. Of a report that takes long to read: whoever reads it is seen. */
async function timing({ row, options }: Ground, owner: Caller, other: Caller): Promise<void> {
  const large = ask("one", { doing: "large", ms: 0 });
  const { answer } = await owner.finish(large.tool, { query: large.query }, LIMIT_MS);
  const id = String(answer.jobId);
  const { reply } = await owner.request("resources/read", { uri: `report://${id}` });
  must(reply.text.length > LARGE, `the report has ${reply.text.length} characters: ${answer.code} ${answer.message}`);
  const cases = { own: [owner, id], theirs: [other, id], nobodys: [other, unknownLike(id)] } as const;
  const times: Record<keyof typeof cases, number[]> = { own: [], theirs: [], nobodys: [] };
  for (let i = 0; i < (options.quick ? 40 : 150); i++) {
    for (const [whose, [caller, job_id]] of Object.entries(cases)) {
      // It takes long, and shows only that reading does.
      if (whose === "own" && i >= OWN_READS) continue;
      const from = performance.now();
      await caller.call("research_result", { job_id, wait_seconds: 0 });
      times[whose as keyof typeof cases].push(performance.now() - from);
    }
  }
  const [own, theirs, nobodys] = [median(times.own), median(times.theirs), median(times.nobodys)];
  row(
    `time of the refusal: another's job of ${LARGE / 1e6} million characters, and an unknown one`,
    `medians within ${TIMING_MS} ms, which is less than it takes to read it`,
    `${theirs.toFixed(1)} ms, ${nobodys.toFixed(1)} ms; its owner ${own.toFixed(1)} ms`,
    Math.abs(theirs - nobodys) <= TIMING_MS && own - nobodys > TIMING_MS,
  );
}

async function unharmed({ row }: Ground, owner: Caller, jobs: { finished: string; running: string }): Promise<void> {
  const [finished, running] = await Promise.all(
    [jobs.finished, jobs.running].map((job_id) => owner.call("research_result", { job_id, wait_seconds: 0 })),
  );
  row(
    "the owner's jobs after all that",
    "completed, running",
    `${finished?.status ?? finished?.code}, ${running?.status ?? running?.code}`,
    finished?.status === "completed" && running?.status === "running",
  );
}

async function wrongTokens({ row }: Ground, world: World): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  const token = world.tokenOf("one");
  const tried = [
    "",
    "Bearer ",
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${randomUUID()}`,
    `Basic ${token}`,
  ];
  const statuses = await Promise.all(tried.map((authorization) => world.post(body, { authorization })));
  row(
    "no token, parts of one, a wrong one",
    "401 each",
    statuses.map(({ status }) => status).join(", "),
    statuses.every(({ status }) => status === 401),
  );
}

/** An id of the same shape that nobody has. */
function unknownLike(id: string): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const at = id.lastIndexOf("-") + 1;
  const made = Array.from(id.slice(at), () => letters[Math.floor(Math.random() * letters.length)]).join("");
  return id.slice(0, at) + made;
}
