/** What one tenant may have, counted over all fronts and workers. */
import type { Caller } from "../caller.js";
import { mostAtOnce } from "../judge.js";
import type { Ground, Part } from "../part.js";
import { ask } from "../question.js";
import { ROOMY, type World } from "../world.js";
import { must } from "./common.js";

const LIMIT_MS = 60_000;
const PER_MINUTE = 10;
const QUEUED = 2;

export const LIMITS: Part = {
  name: "limits",
  withinMs: () => 240_000,
  async play(ground) {
    const world = await ground.open({
      tenants: {
        one: ROOMY,
        narrow: { ...ROOMY, running: 1, queued: QUEUED },
        single: { ...ROOMY, running: 1 },
        slow: { ...ROOMY, per_minute: PER_MINUTE },
      },
    });
    await world.startAll();
    await queued(ground, world);
    await running(ground, world);
    await perMinute(ground, world);
    await ground.close(world);
  },
};

async function queued({ row }: Ground, world: World): Promise<void> {
  const [narrow, one] = await Promise.all([world.caller("narrow"), world.caller("one")]);
  const begin = (caller: Caller, tenant: string) => {
    const { mark, query, tool } = ask(tenant, { doing: "hang", ms: 0 });
    return { mark, answer: caller.call(tool, { query, wait_seconds: 0 }) };
  };
  const first = begin(narrow, "narrow");
  await first.answer;
  const runs = await world.log.until(LIMIT_MS, (all) => all.some(({ mark }) => mark === first.mark));
  must(
    runs.some(({ mark }) => mark === first.mark),
    "the first job did not start",
  );
  const answers = [await first.answer];
  for (let i = 0; i < QUEUED + 3; i++) answers.push(await begin(narrow, "narrow").answer);
  const accepted = answers.filter(({ success }) => success);
  const refused = answers.filter(({ success }) => !success);
  row(
    `jobs of a tenant with \`running: 1, queued: ${QUEUED}\`, one after the other`,
    `${1 + QUEUED} of ${answers.length} taken, the last ones refused`,
    `${accepted.length} taken`,
    accepted.length === 1 + QUEUED && answers.slice(1 + QUEUED).every(({ success }) => !success),
  );
  const clear = refused.filter(({ code, reply }) => code === "QUOTA_EXCEEDED" && /tenant/.test(reply.text));
  row(
    "what a refused one is told",
    "QUOTA_EXCEEDED, that it is the tenant's limit, and until when",
    `${refused[0]?.code}: ${refused[0]?.message}`,
    refused.length > 0 && clear.length === refused.length,
  );
  const { query, tool } = ask("one");
  const other = await one.finish(tool, { query }, LIMIT_MS);
  row(
    "another tenant meanwhile",
    "a report",
    other.answer.status ?? `${other.answer.code}`,
    other.answer.success && other.answer.status !== "running",
  );
  for (const { jobId } of accepted) await narrow.call("research_cancel", { job_id: jobId });
  const again = await narrow.finish(tool, { query: ask("narrow").query }, LIMIT_MS);
  row(
    "the tenant again, when its jobs are cancelled",
    "a report",
    again.answer.status ?? `${again.answer.code} ${again.answer.message}`,
    again.answer.success && again.answer.status !== "running",
  );
}

async function running({ row }: Ground, world: World): Promise<void> {
  const caller = await world.caller("single");
  const asked = Array.from({ length: 5 }, () => ask("single", { ms: 300 }));
  const outcomes = await Promise.all(asked.map(({ query, tool }) => caller.finish(tool, { query }, LIMIT_MS)));
  const marks = new Set(asked.map(({ mark }) => mark));
  const runs = (await world.log.runs()).filter(({ mark }) => marks.has(mark));
  const done = outcomes.filter(({ answer }) => answer.success && answer.status !== "running").length;
  row(
    "5 jobs at once of a tenant with `running: 1`",
    "all end, never 2 runs at a time in any workers",
    `${done} ended, ${mostAtOnce(runs)} at a time`,
    done === asked.length && mostAtOnce(runs) === 1,
  );
}

async function perMinute({ row }: Ground, world: World): Promise<void> {
  const caller = await world.caller("slow");
  const answers = [];
  for (let i = 0; i < PER_MINUTE * 2; i++) {
    const { query, tool } = ask("slow", { ms: 10 });
    answers.push(await caller.call(tool, { query, wait_seconds: 0 }, { front: i % 2 }));
  }
  const accepted = answers.filter(({ success }) => success).length;
  const refused = answers.filter(({ success }) => !success);
  // The session's own messages may count.
  row(
    `${answers.length} calls in a row at two fronts, of a tenant with \`per_minute: ${PER_MINUTE}\``,
    `${PER_MINUTE - 2} to ${PER_MINUTE} taken`,
    `${accepted} taken`,
    accepted <= PER_MINUTE && accepted >= PER_MINUTE - 2,
  );
  const waits = refused.map(({ reply }) => Number(reply.headers["retry-after"]));
  const clear = refused.filter(({ code, reply }, i) =>
    reply.status === 429
      ? (waits[i] ?? 0) >= 1 && (waits[i] ?? 0) <= 61
      : code === "QUOTA_EXCEEDED" && /tenant/.test(reply.text),
  );
  const [first] = refused;
  row(
    "what a refused call is told",
    "429 with Retry-After up to 61, or QUOTA_EXCEEDED of the tenant",
    `${first?.reply.status}, Retry-After ${first?.reply.headers["retry-after"] ?? "none"}, ${first?.code}: ${first?.message}`,
    refused.length > 0 && clear.length === refused.length,
  );
}
