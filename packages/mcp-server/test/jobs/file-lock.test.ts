import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { ProcessIdentity } from "@x/owned-files";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newActivity } from "../../src/jobs/activity.js";
import { createRecordLock } from "../../src/jobs/file-lock.js";
import { createRecordFiles } from "../../src/jobs/record-files.js";
import { deepReport, fakeResearch } from "../support/fake-research.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "record-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const id = "deep-search-0123456789";
const UUID = "00000000-0000-4000-8000-000000000000";
/** Of process `pid`; every process but 9 lives. */
const lockOf = (pid: number) => createRecordLock({ directory, own: processOf(pid, "a"), isGone: nineIsGone });
const nineIsGone = ({ pid, place }: ProcessIdentity) => (place === "a" ? pid === 9 : undefined);

test("of many who want it, one has it at a time, and nothing is left", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await turn();
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, (_, at) => lockOf(1 + (at % 3))(id, work)));
  expect(most).toBe(1);
  expect(readdirSync(directory)).toEqual([]);
});

test("another id is free", async () => {
  const both = lockOf(1)(id, () => lockOf(2)("search-0123456789", async () => readdirSync(directory).length));
  expect(await both).toBe(2);
});

test("a process that holds many asks of none of them whether it lives itself", async () => {
  const asked: string[] = [];
  const isGone = (of: ProcessIdentity) => {
    asked.push(String(of.pid));
    return false;
  };
  const lock = createRecordLock({ directory, own: processOf(1, "a"), isGone });
  const ids = Array.from({ length: 20 }, (_, at) => `search-${String(at).padStart(10, "0")}`);
  let held = 0;
  let goOn = () => {};
  const all = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const work = async () => {
    if (++held === ids.length) goOn();
    await all;
  };
  await Promise.all(ids.map((each) => lock(each, work)));
  expect(asked).toEqual([]);
});

test("what a killed process left does not hold, nor what is too old, whoever has its process id now", async () => {
  writeFileSync(join(directory, `${id}.9.0.a.${UUID}.lock`), "");
  writeFileSync(join(directory, `search-0123456789.9.0.a.${UUID}.lock`), "");
  writeFileSync(join(directory, `${id}.8.0.b.${UUID}.lock`), "");
  utimesSync(join(directory, `${id}.8.0.b.${UUID}.lock`), 1, 1);
  expect(await lockOf(1)(id, async () => "done")).toBe("done");
  expect(readdirSync(directory)).toEqual([]);
});

test("one of another container holds it, whoever has its process id here", async () => {
  const held = `${id}.9.0.b.${UUID}.lock`;
  for (const name of [held, `${id}.9.0.a.${UUID}.lock`]) writeFileSync(join(directory, name), "");
  const work = lockOf(1)(id, async () => readdirSync(directory).length);
  // It has looked, and has stepped back.
  await expect.poll(() => readdirSync(directory), { interval: 1 }).toEqual([held]);
  rmSync(join(directory, held));
  expect(await work).toBe(1);
});

test("work that fails gives it back", async () => {
  await expect(lockOf(1)(id, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(readdirSync(directory)).toEqual([]);
});

test("where no file can be made the work is done without", async () => {
  writeFileSync(join(directory, "file"), "");
  const lock = createRecordLock({ directory: join(directory, "file"), own: processOf(1) });
  expect(await lock(id, async () => "done")).toBe("done");
});

test("of two servers that find a job left behind, one goes on with it and the other waits for its result", async () => {
  const serverOf = (pid: number) => {
    const research = fakeResearch();
    const files = createRecordFiles({ directory });
    return {
      research,
      files,
      jobs: personsJobs({
        research: async () => research,
        files,
        lock: lockOf(pid),
        log: () => {},
        own: processOf(pid, "a"),
        isGone: nineIsGone,
      }),
    };
  };
  const servers = [1, 2, 3].map(serverOf);
  const at = new Date().toISOString();
  await servers[0]?.files.save({
    id,
    tool: "deep_search",
    request: { query: "why" },
    state: "running",
    ...processOf(9, "a"),
    researchId: "r",
    createdAt: at,
    updatedAt: at,
    activity: newActivity(),
  });
  const found = await Promise.all(servers.map(({ jobs }) => jobs.find(id)));
  await turn();
  const working = servers.filter(({ research }) => research.asked.length > 0);
  expect(working).toHaveLength(1);
  expect(new Set(found.map((job) => job?.record.pid)).size).toBe(1);
  working[0]?.research.finish(deepReport());
  await Promise.all(found.map((job) => job?.ended()));
  expect(found.map((job) => job?.record.state)).toEqual(["completed", "completed", "completed"]);
});

test("a job of a server in another container goes on there, although both have one process id", async () => {
  const files = createRecordFiles({ directory });
  const servers = ["a", "b"].map((place) => {
    const research = fakeResearch();
    return {
      research,
      jobs: personsJobs({ research: async () => research, files, log: () => {}, own: processOf(1, place) }),
    };
  });
  const started = await servers[0]?.jobs.start("search", { query: "why" });
  await servers[0]?.research.hasAsked(1);
  const id = started?.job.record.id ?? "";
  await expect.poll(() => servers[1]?.jobs.look(id)).toBeDefined();
  const found = await servers[1]?.jobs.find(id);
  expect(found?.record.state).toBe("running");
  expect(servers[1]?.research.asked).toEqual([]);
  for (const { jobs } of servers) await jobs.close();
});
