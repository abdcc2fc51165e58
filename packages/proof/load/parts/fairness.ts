/** Who has much to do does not keep others waiting. */
import { median } from "../../measure/statistics.mjs";
import type { Part } from "../part.js";
import { ask } from "../question.js";
import { ROOMY } from "../world.js";
import { inParallel, must } from "./common.js";

/** Of each job: long beside what a busy machine adds. */
const JOB_MS = 1_000;
const SINGLES = 6;
const LIMIT_MS = 120_000;

export const FAIRNESS: Part = {
  name: "fairness",
  withinMs: () => 420_000,
  async play({ open, close, options, row, tell }) {
    const count = options.quick ? 200 : 1_000;
    const names = Array.from({ length: SINGLES }, (_, i) => `single${i + 1}`);
    const world = await open({ tenants: Object.fromEntries(["crowd", ...names].map((name) => [name, ROOMY])) });
    await world.startAll();
    const callers = await Promise.all(names.map((name) => world.caller(name)));
    const single = async (i: number) => {
      const caller = callers[i];
      must(caller !== undefined, "no caller");
      const { query, tool } = ask(names[i] ?? "", { ms: JOB_MS });
      const { answer, ms } = await caller.finish(tool, { query }, LIMIT_MS);
      must(answer.success, `a single job failed: ${answer.code} ${answer.message}`);
      return ms;
    };
    const alone: number[] = [];
    for (const i of names.keys()) alone.push(await single(i));

    const crowd = await world.caller("crowd");
    const accepted = await inParallel(Array.from({ length: count }), 10, async () => {
      const { query, tool } = ask("crowd", { ms: JOB_MS });
      return crowd.call(tool, { query, wait_seconds: 0 });
    });
    const refused = accepted.filter(({ success }) => !success);
    tell(`${accepted.length - refused.length} of ${count} jobs of one tenant taken`);
    row(
      "a tenant queues many jobs",
      `${count}`,
      `${accepted.length - refused.length}${refused[0] ? `; ${refused[0].code} ${refused[0].message}` : ""}`,
      refused.length === 0,
    );
    const beside: number[] = [];
    for (const i of names.keys()) beside.push(await single(i));
    const waiting = count - (await world.log.runs()).filter(({ mark }) => mark.includes("-crowd-")).length;
    const [usual, most] = [median(alone), Math.max(...beside)];
    row(
      "another's single job, while they wait, is later than it would be alone by",
      `at most the time of one job (${usual.toFixed(0)} ms)`,
      `${(most - usual).toFixed(0)} ms at most, median ${(median(beside) - usual).toFixed(0)} ms, of ${SINGLES}; ${waiting} still waited`,
      most - usual <= usual && waiting > 0,
    );
    await close(world);
  },
};
