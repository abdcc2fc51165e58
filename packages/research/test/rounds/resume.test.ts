import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMemoryRunStore, deepSearch, type RunStore } from "../../src/index.js";
import { createFileRunStore } from "../../src/node/index.js";
import { draft, drain, drainFailing, failure, final, recorded, temporaryFolder, world } from "../world.js";

const QUESTION = { query: "Why are there tides?", maxRounds: 4 };

/** A research whose process dies in round 3: what a store holds then, and its id. */
async function killedInRound3(store: RunStore) {
  const { deps } = world(
    [
      {
        ...recorded(draft("one"), [{ url: "https://a.org/x", status: "retrieved" }], ["first"]),
        model: "gemini-3.8-flash",
      },
      failure("EXECUTION_ERROR", "fetch failed", { reason: "network" }),
      () => new Promise<never>(() => {}),
    ],
    { store },
  );
  for (const run = deepSearch(QUESTION, deps); ; ) {
    const { value } = await run.next();
    // Nobody reads on: as far as the store knows, the process is gone.
    if (value && "type" in value && value.type === "step" && value.round === 3) break;
  }
  return "id-1";
}

test.each(["memory", "file"])(
  "a research goes on after its last finished round when it is killed; finished rounds never run again (%s store)",
  async (kind) => {
    const store =
      kind === "memory" ? createMemoryRunStore() : createFileRunStore({ directory: await temporaryFolder() });
    const id = await killedInRound3(store);
    const { deps, prompts } = world([recorded(final("two, from https://a.org/x"), [], ["second"])], { store });
    const { report, events, logs } = await drain(deepSearch({ resume: id }, deps));
    expect(prompts()).toEqual(["VERIFY Why are there tides? | one | - (nothing is listed) | - (nothing is listed)"]);
    expect(events[0]).toEqual({ type: "research-start", id });
    expect(logs[0]).toBe("[INFO] Deep search round 2/4...");
    expect(report).toMatchObject({
      result: "two, from https://a.org/x",
      verified: true,
      metadata: {
        query: "Why are there tides?",
        model: "gemini-3.8-flash",
        iterations: 2,
        sources_visited: ["https://a.org/x"],
        search_queries_used: ["first", "second"],
        rounds: [{ round_number: 1 }, { round_number: 2, verified: true }],
        usage: { runs: 3 },
        evidence: { status: "available", unseen: [] },
      },
    });
  },
);

test("a finished research gives its report again without a run, and goes on when more rounds are asked for", async () => {
  const store = createMemoryRunStore();
  const first = world([draft("one"), draft("two")], { store });
  const { report } = await drain(deepSearch({ query: "q", maxRounds: 2 }, first.deps));
  const again = world([draft("three")], { store });
  expect((await drain(deepSearch({ resume: "id-1" }, again.deps))).report).toEqual(JSON.parse(JSON.stringify(report)));
  expect(again.requests).toEqual([]);
  const more = await drain(deepSearch({ resume: "id-1", maxRounds: 3 }, again.deps));
  expect(more.report).toMatchObject({ result: "three", metadata: { iterations: 3 } });
});

test("a research that was stopped in its first round asks it again", async () => {
  const store = createMemoryRunStore();
  const stopped = deepSearch(QUESTION, world([() => new Promise<never>(() => {})], { store }).deps);
  expect((await stopped.next()).value).toEqual({ type: "research-start", id: "id-1" });
  const { deps, prompts } = world([final("one")], { store });
  expect((await drain(deepSearch({ resume: "id-1" }, deps))).report).toMatchObject({ result: "one", verified: true });
  expect(prompts()).toEqual(["DEEP Why are there tides?"]);
});

test.each([[[]], [{ success: "" }], ["words"], [{ success: true, result: 1, metadata: {} }]])(
  "a finished report that is damaged (%j) is made again from the rounds",
  async (report) => {
    const store = createMemoryRunStore();
    await drain(deepSearch({ query: "q", maxRounds: 2 }, world([draft("one"), final("two")], { store }).deps));
    await store.save("id-1", { ...((await store.load("id-1")) as object), report });
    const again = world([], { store });
    const { report: made } = await drain(deepSearch({ resume: "id-1" }, again.deps));
    expect(made).toMatchObject({ success: true, result: "two", verified: true, metadata: { iterations: 2 } });
    expect(again.requests).toEqual([]);
  },
);

test("what a used-up day ended goes on the next day", async () => {
  const store = createMemoryRunStore();
  const today = world([draft("one"), failure("QUOTA_EXCEEDED", "the day is over", { scope: "day" })], { store });
  expect((await drain(deepSearch(QUESTION, today.deps))).report.verified).toBe(false);
  const tomorrow = world([final("two")], { store });
  expect((await drain(deepSearch({ resume: "id-1" }, tomorrow.deps))).report).toMatchObject({
    result: "two",
    verified: true,
  });
});

test("a research that ended without a result is asked again", async () => {
  const store = createMemoryRunStore();
  const crash = failure("EXECUTION_ERROR", "fetch failed", { reason: "network" });
  await drainFailing(deepSearch({ query: "q", maxRounds: 2 }, world([crash, crash], { store }).deps));
  const again = world([draft("one"), final("two")], { store });
  const { report } = await drain(deepSearch({ resume: "id-1" }, again.deps));
  expect(report).toMatchObject({ result: "two", verified: true, metadata: { iterations: 2, usage: { runs: 4 } } });
});

test.each([
  ["an id that is not kept", { resume: "gone" }, "No research is kept under the id"],
  ["an id that is a path", { resume: "../../etc/passwd" }, "No research is kept under the id"],
  ["another question", { resume: "id-1", query: "else" }, 'asks "Why are there tides?", not "else"'],
])("%s is refused", async (_, request, said) => {
  const store = createFileRunStore({ directory: await temporaryFolder() });
  await killedInRound3(store);
  const { error } = await drainFailing(deepSearch(request, world([], { store }).deps));
  expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining(said) });
});

test("without a store nothing can be resumed", async () => {
  const { error } = await drainFailing(deepSearch({ resume: "id-1" }, world([]).deps));
  expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(/^No store was given/) });
});

test.each([
  ["cut off", (text: string) => text.slice(0, text.length / 2)],
  ["empty", () => ""],
  ["of another shape", () => '{"version":1,"findings":[]}'],
  ["of a later version", (text: string) => text.replace('"version":1', '"version":2')],
  ["no object", () => "null"],
])("a record that is %s is an error that names the file", async (_, damage) => {
  const directory = await temporaryFolder();
  const store = createFileRunStore({ directory });
  const id = await killedInRound3(store);
  const path = join(directory, `${id}.json`);
  await writeFile(path, damage(await readFile(path, "utf8")));
  const { error } = await drainFailing(deepSearch({ resume: id }, world([], { store }).deps));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", message: expect.stringContaining(`damaged: ${path}`) });
});

test("a store that cannot save is a warning, and the research goes on", async () => {
  const store = { ...createMemoryRunStore(), save: async () => Promise.reject(new Error("ENOSPC: disk full")) };
  const { report, logs } = await drain(deepSearch({ query: "q" }, world([draft("one"), final("two")], { store }).deps));
  expect(report.result).toBe("two");
  expect(logs.filter((line) => line.startsWith("[WARN]"))).toEqual(
    Array(4).fill("[WARN] Cannot save the state of the research: ENOSPC: disk full"),
  );
});

test("a file store that cannot save says where and why, in words", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  const directory = join(file, "rounds");
  const store = createFileRunStore({ directory });
  const { logs } = await drain(deepSearch({ query: "q" }, world([draft("one"), final("two")], { store }).deps));
  const problem = `Cannot save the state of the research: ${directory}: a part of its path is a file, not a folder`;
  expect(logs).toContain(`[WARN] ${problem}`);
});

test("a file store writes files for the owner alone, and leaves nothing else behind", async () => {
  const directory = join(await temporaryFolder(), "made", "when needed");
  const store = createFileRunStore({ directory });
  expect(await store.list()).toEqual([]);
  await Promise.all(Array.from({ length: 10 }, (_, n) => store.save("one", { n })));
  await store.save("two", { n: 2 });
  expect((await readdir(directory)).toSorted()).toEqual(["one.json", "two.json"]);
  expect((await stat(join(directory, "one.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect(await store.load("two")).toEqual({ n: 2 });
  expect(await store.load("three")).toBeUndefined();
  await store.remove("one");
  expect(await store.list()).toEqual(["two"]);
  await expect(store.save("../evil", {})).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("records stay for the time that was asked for, and no longer", async () => {
  const directory = await temporaryFolder();
  const store = createFileRunStore({ directory });
  for (const id of ["old", "new"]) await store.save(id, {});
  const abandoned = join(directory, "old.json.0a1b.tmp");
  await writeFile(abandoned, "half");
  await writeFile(join(directory, "notes.txt"), "mine");
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const path of [join(directory, "old.json"), abandoned, join(directory, "notes.txt")])
    await utimes(path, hourAgo, hourAgo);
  const strict = createFileRunStore({ directory, keepMs: 30 * 60_000 });
  expect(await strict.load("old")).toBeUndefined();
  expect((await readdir(directory)).toSorted()).toEqual(["new.json", "notes.txt"]);
});

test.for(["memory", "file"])("a %s store lists what was saved last first", async (kind) => {
  const directory = await temporaryFolder();
  const store = kind === "memory" ? createMemoryRunStore() : createFileRunStore({ directory });
  for (const [seconds, id] of ["a", "b", "c", "a"].entries()) {
    await store.save(id, {});
    // Saves in one tick of the file system's clock would be saves at one time.
    if (kind === "file") await utimes(join(directory, `${id}.json`), seconds, Date.now() / 1_000 - 60 + seconds);
  }
  expect(await store.list()).toEqual(["a", "c", "b"]);
});
