import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { builtInPrompts, deepResearch, deepSearch, type ResearchDeps, search } from "../../src/index.js";
import { createTempFiles } from "../../src/node/index.js";
import { answer, draft, drain, drainFailing, failure, final, type Turn, temporaryFolder, world } from "../world.js";

const QUESTION = { query: "q" };
const BROKEN = "I found that Mars has two moons, but I forgot the JSON.";

async function withTempFiles(turns: Turn[], more: Partial<ResearchDeps> = {}) {
  const directory = await temporaryFolder();
  return { directory, ...world(turns, { tempFiles: createTempFiles({ directory }), ...more }) };
}

test("what can be repaired without a model is, and costs no run [search/first-attempt] [deep-search/first-attempt]", async () => {
  const { deps, requests, directory } = await withTempFiles([
    `Sure:\n{success: True, 'report': "two moons",}`,
    `{"verified": "TRUE", "success": "true", "report": "two"} Done.`,
  ]);
  expect((await drain(search(QUESTION, deps))).report.result).toBe("two moons");
  expect((await drain(deepSearch(QUESTION, deps))).report).toMatchObject({ result: "two", verified: true });
  expect(requests).toHaveLength(2);
  expect(await readdir(directory)).toEqual([]);
});

test("an unreadable answer is corrected by one run that reads it from a file of its own [search/correction-success] [deep-search/correction-file]", async () => {
  let seen: { name: string; text: string; mode: number } | undefined;
  const { deps, requests, slept, directory } = await withTempFiles([
    BROKEN,
    async ({ files: [file = ""] = [] }) => {
      seen = {
        name: file.slice(dirname(file).length + 1),
        text: await readFile(file, "utf8"),
        mode: (await stat(file)).mode & 0o777,
      };
      return answer("two moons");
    },
  ]);
  const { report, events } = await drain(search(QUESTION, deps));
  expect(report.result).toBe("two moons");
  expect(seen?.name).toMatch(/^temp-invalid-output-\d{13}\.txt$/);
  expect(seen).toMatchObject({ text: BROKEN, mode: 0o600 });
  const [, correction] = requests;
  expect(correction).toMatchObject({ tools: ["read_file"], files: [`${directory}/${seen?.name}`] });
  expect(correction?.prompt).toContain(`${directory}/${seen?.name}`);
  expect(await readdir(directory)).toEqual([]);
  expect(slept).toEqual([]);
  expect(events.map(({ type }) => type).filter((type) => type !== "step" && type !== "log")).toEqual([
    "research-start",
    "attempt-failed",
    "correction-start",
  ]);
});

test.each([
  ["search [search/correction]", search, {}],
  ["deep search [deep-search/correction] [deep-search/correction-prompt]", deepSearch, { verified: false }],
] as const)("the correction prompt says what to do and shows the whole form: %s", async (_, run, also) => {
  const { deps, requests } = await withTempFiles([BROKEN, final("ok")], { prompts: builtInPrompts });
  await drain(run(QUESTION, deps) as ReturnType<typeof search>);
  const prompt = requests[1]?.prompt ?? "";
  expect(prompt).toMatch(/You are a JSON formatter/);
  expect(prompt).toMatch(/Read the invalid output from this file/);
  expect(prompt).toMatch(/Extract the research information/);
  expect(prompt).toMatch(/exactly the JSON schema/);
  expect(prompt).toMatch(/one fenced ```json code block/);
  const example = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(prompt)?.[1] ?? "");
  expect(example).toMatchObject({
    success: true,
    ...also,
    report: expect.any(String),
    metadata: { sources_visited: [expect.any(String)], search_queries_used: [expect.any(String)] },
  });
  expect("verified" in example).toBe("verified" in also);
});

test("a corrected round goes on without another attempt [deep-search/correction-success]", async () => {
  const { deps, requests, slept } = await withTempFiles([BROKEN, draft("one"), final("two")]);
  const { report } = await drain(deepSearch(QUESTION, deps));
  expect(report).toMatchObject({ result: "two", verified: true, metadata: { iterations: 2 } });
  expect(requests.map(({ files = [] }) => files.length)).toEqual([0, 1, 0]);
  expect(slept).toEqual([]);
});

test("a correction that fails is logged as such, and the whole attempt follows again after 1 s, then 2 s [search/correction-failure] [search/unreadable]", async () => {
  const { deps, requests, slept, directory } = await withTempFiles([
    BROKEN,
    "still no JSON",
    BROKEN,
    '{"success": true}',
    answer("two moons"),
  ]);
  const { report, logs } = await drain(search(QUESTION, deps));
  expect(report.result).toBe("two moons");
  expect(slept).toEqual([1_000, 2_000]);
  expect(requests).toHaveLength(5);
  expect(logs.filter((line) => line.startsWith("[ERROR]"))).toEqual([
    expect.stringMatching(/^\[ERROR\] JSON correction failed: ./),
    expect.stringMatching(/^\[ERROR\] JSON correction failed: ./),
  ]);
  expect(await readdir(directory)).toEqual([]);
});

test("a round whose correction fails is asked again as a whole [deep-search/correction-failure]", async () => {
  const { deps, slept, prompts } = await withTempFiles([BROKEN, BROKEN, draft("one"), final("two")]);
  const { report } = await drain(deepSearch(QUESTION, deps));
  expect(report.result).toBe("two");
  expect(slept).toEqual([1_000]);
  expect(prompts()[2]).toBe("DEEP q");
});

test("after the last attempt the error says that all were exhausted [search/exhausted] [search/correction-failure]", async () => {
  const { deps, requests, slept, directory } = await withTempFiles(Array(6).fill(BROKEN));
  const { error } = await drainFailing(search(QUESTION, deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR" });
  expect(error.message).toMatch(/all retry and correction attempts were exhausted/i);
  expect(error.details).toContain("I found that Mars has two moons");
  expect(error.details).not.toMatch(/\n\s+at |node_modules/);
  expect(requests).toHaveLength(6);
  expect(slept).toEqual([1_000, 2_000]);
  expect(await readdir(directory)).toEqual([]);
});

test("of answers that nobody could have written not all attempts are made", async () => {
  const long = "No JSON. ".repeat(150_000);
  const { deps, requests, directory } = await withTempFiles(Array(6).fill(long));
  const { error } = await drainFailing(search(QUESTION, deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "unreadable" });
  expect(error.message).toMatch(/all retry and correction attempts were exhausted: no readable answer in 1 attempt\./i);
  expect(requests).toHaveLength(2);
  expect(await readdir(directory)).toEqual([]);
});

test("a deep search none of whose rounds can be read ends with the same words [deep-search/exhausted]", async () => {
  const { deps, requests } = await withTempFiles(Array(12).fill(BROKEN));
  const { error } = await drainFailing(deepSearch({ ...QUESTION, maxRounds: 2 }, deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR" });
  expect(error.message).toMatch(/all retry and correction attempts were exhausted/i);
  expect(requests).toHaveLength(12);
});

test("more attempts use the third wait too, and the schedule is an option", async () => {
  const { deps, slept } = world(Array(4).fill(BROKEN), { attempts: 4 });
  await drainFailing(search(QUESTION, deps));
  expect(slept).toEqual([1_000, 2_000, 5_000]);
  const other = world(Array(2).fill(BROKEN), { attempts: 2, delaysMs: [30] });
  await drainFailing(search(QUESTION, other.deps));
  expect(other.slept).toEqual([30]);
});

test("a run that fails as a process is neither corrected nor repeated", async () => {
  const { deps, requests, slept } = await withTempFiles([
    BROKEN,
    BROKEN,
    failure("EXECUTION_ERROR", "killed", { reason: "crash", exitCode: 137 }),
  ]);
  const { error } = await drainFailing(search(QUESTION, deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: "killed" });
  expect(requests).toHaveLength(3);
  expect(slept).toEqual([1_000]);
});

test("a correction that crashes is a failed correction; one that says no run can work ends the search", async () => {
  const crashed = await withTempFiles([
    BROKEN,
    failure("EXECUTION_ERROR", "took too long", { reason: "timeout" }),
    answer("two moons"),
  ]);
  const { report, logs } = await drain(search(QUESTION, crashed.deps));
  expect(report.result).toBe("two moons");
  expect(logs).toContain("[ERROR] JSON correction failed: took too long");
  expect(await readdir(crashed.directory)).toEqual([]);

  const quota = await withTempFiles([BROKEN, failure("QUOTA_EXCEEDED", "the day is over", { scope: "day" })]);
  const { error } = await drainFailing(search(QUESTION, quota.deps));
  expect(error).toMatchObject({ code: "QUOTA_EXCEEDED" });
  expect(quota.requests).toHaveLength(2);
  expect(await readdir(quota.directory)).toEqual([]);
});

test("a temporary file that cannot be deleted is logged as an error, and the answer stands [search/cleanup] [deep-search/cleanup]", async () => {
  const stuck = {
    write: async () => "/config/temp-invalid-output-1.txt",
    remove: async () => Promise.reject(new Error("EACCES: no permission")),
  };
  const { deps } = world([BROKEN, answer("two moons")], { tempFiles: stuck });
  const { report, logs } = await drain(search(QUESTION, deps));
  expect(report.result).toBe("two moons");
  expect(logs).toContain(
    "[ERROR] Cannot delete the temporary file /config/temp-invalid-output-1.txt: EACCES: no permission",
  );

  const failing = world([BROKEN, BROKEN], { tempFiles: stuck, attempts: 1 });
  const { logs: more } = await drainFailing(search(QUESTION, failing.deps));
  expect(more.filter((line) => line.startsWith("[ERROR] Cannot delete"))).toHaveLength(1);
});

test("the temporary file is removed whatever happened to the correction [deep-search/cleanup]", async () => {
  const stop = new AbortController();
  const cases: Turn[] = [
    failure("CANCELLED", "cancelled"),
    failure("CLI_NOT_FOUND", "gone"),
    new Error("a bug"),
    () => {
      stop.abort();
      return "too late";
    },
  ];
  for (const turn of cases) {
    const { deps, directory } = await withTempFiles([BROKEN, turn], { attempts: 1 });
    await drainFailing(deepSearch({ ...QUESTION, maxRounds: 2, signal: stop.signal }, deps));
    expect(await readdir(directory)).toEqual([]);
  }
});

test("a reader who leaves during the correction leaves no file behind", async () => {
  const { deps, directory } = await withTempFiles([BROKEN, "never read"]);
  let starts = 0;
  for await (const event of search(QUESTION, deps)) {
    if (event.type === "step" && event.step.type === "run-start" && ++starts === 2) break;
  }
  expect(starts).toBe(2);
  expect(await readdir(directory)).toEqual([]);
});

test("a config directory that cannot be written to fails the correction, not the search", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "no directory");
  const { deps } = world([BROKEN, answer("two moons")], {
    tempFiles: createTempFiles({ directory: join(file, "config") }),
  });
  const { report, logs } = await drain(search(QUESTION, deps));
  expect(report.result).toBe("two moons");
  expect(logs.join("\n")).toMatch(/JSON correction failed: ENOTDIR/);
});

test("an answer that reached the model's limit is read as far as it goes, and marked", async () => {
  const whole = draft(`The long report. ${"It goes on. ".repeat(100)}`);
  const cut = failure("EXECUTION_ERROR", "cut off", { reason: "truncated", text: whole.slice(0, 800) });
  const { deps } = world([cut]);
  const { report } = await drain(search(QUESTION, deps));
  expect(report.result).toMatch(/^The long report\./);
  expect(report.metadata.warnings).toContain("The answer was cut off: the end of the report is missing.");
  expect(report.metadata.evidence).toMatchObject({ status: "unavailable" });
});

test("deep_research is corrected like the others", async () => {
  const { deps, requests } = await withTempFiles([BROKEN, answer("two moons")]);
  const { report } = await drain(deepResearch({ topic: "Mars" }, deps));
  expect(report.report).toBe("two moons");
  expect(requests).toHaveLength(2);
});
