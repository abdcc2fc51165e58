import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownProcess } from "@x/owned-files";
import { expect, test } from "vitest";
import { sampleReport } from "../../report/html/sample-report.js";
import { keepIn, recordsIn } from "../../support/kept.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();
const kept = () => readdirSync(recordsIn(place.home)).filter((name) => name.endsWith(".json"));
const daysAgo = (days: number) => ({ createdAt: new Date(Date.now() - days * 86_400_000).toISOString() });

test("delete takes the report, its page and its rounds, and names what it does not know", async () => {
  await keepIn(place.home, { report: sampleReport, researchId: "research-1" }, { report: sampleReport });
  const config = join(recordsIn(place.home), "..");
  for (const folder of ["rounds", "pages"]) mkdirSync(join(config, folder));
  writeFileSync(join(config, "rounds/research-1.json"), "{}");
  writeFileSync(join(config, "pages/deep-search-0000000000.html"), "");
  const { code, out, err } = await place.run(["delete", "0000000000", "nothing", "deep-search-0000000001"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("✓ Deleted deep-search-0000000000: Is it so?\n");
  expect(err).toContain('✗ There is no research "nothing"');
  expect(err).toContain("✓ Deleted deep-search-0000000001: Is it so?\n");
  expect(kept()).toEqual([]);
  expect(readdirSync(join(config, "rounds"))).toEqual([]);
  expect(readdirSync(join(config, "pages"))).toEqual([]);
});

test("delete --last takes what was asked last, and says what that was", async () => {
  await keepIn(place.home, { request: { query: "And now?" }, report: sampleReport }, { report: sampleReport });
  expect(await place.run(["delete", "--last"])).toEqual({
    ...{ code: 0, out: "", err: "✓ Deleted deep-search-0000000000: And now?\n" },
  });
  expect(kept()).toEqual(["deep-search-0000000001.json"]);
});

test("delete --last takes a start that failed, and not the report before it", async () => {
  const failure = { code: "INVALID_INPUT", message: "Not found." };
  await keepIn(place.home, { state: "failed", failure }, { report: sampleReport });
  expect((await place.run(["delete", "--last"])).err).toContain("✓ Deleted deep-search-0000000000");
  expect(kept()).toEqual(["deep-search-0000000001.json"]);
});

test.each([
  [["--last", "0000000000"], "Give an id or --last, not both."],
  [[], "Which research? Give its id, or --last; `x-research list` shows them."],
])("delete %j deletes nothing, and says what is wrong", async (which, message) => {
  await keepIn(place.home, { report: sampleReport });
  const { code, err } = await place.run(["delete", ...which]);
  expect({ code, err: err.replace(/\s+/g, " ") }).toEqual({ code: 2, err: `✗ ${message} ` });
  expect(kept()).toHaveLength(1);
});

test("nothing of a deleted question stays in the folder", async () => {
  const many = Array.from({ length: 10 }, (_, index) => ({
    report: sampleReport,
    request: { query: `secret ${index}` },
  }));
  const ids = ["search", "deep-research", "deep-search"].flatMap((tool) =>
    many.map((record, index) => ({ ...record, id: `${tool}-000000000${index}` })),
  );
  await keepIn(place.home, ...ids);
  await place.run(["list"]);
  const texts = () =>
    readdirSync(recordsIn(place.home)).map((name) => readFileSync(join(recordsIn(place.home), name), "utf8"));
  expect(texts().filter((text) => text.includes("secret 7"))).toHaveLength(4);
  await place.run(["delete", ...ids.map(({ id }) => id).filter((id) => id.endsWith("7"))]);
  expect(texts().filter((text) => text.includes("secret 7"))).toEqual([]);
});

test("what runs is not deleted; cancel stops it from another terminal, and then it can be", async () => {
  const id = "deep-search-0000000000";
  // Of a process that lives, and is not this one.
  await keepIn(place.home, { state: "running", pid: process.ppid, place: ownProcess().place });
  const { code, err } = await place.run(["delete", id]);
  expect(code).toBe(2);
  expect(err.replaceAll(/\s+/g, " ")).toContain(`${id} still runs. Stop it first: x-research cancel ${id}`);
  expect((await place.run(["clear", "--older-than", "0s", "--yes"])).err).toContain("Nothing is that old.");
  expect((await place.run(["cancel", "--last"])).err).toBe(`✓ Stopped ${id}: Is it so?\n`);
  expect((await place.run(["cancel", id])).err).toContain(`${id} does not run: it is cancelled.`);
  expect((await place.run(["delete", id])).code).toBe(0);
  expect(kept()).toEqual([]);
});

test("clear deletes what is older, after a yes", async () => {
  const records = [
    { report: sampleReport },
    { report: sampleReport, ...daysAgo(40) },
    { report: sampleReport, ...daysAgo(50) },
  ];
  await keepIn(place.home, ...records);
  const older = ["clear", "--older-than", "30d"];
  const unasked = await place.run(older);
  expect(unasked.code).toBe(2);
  expect(unasked.err).toContain("2 researches would be deleted. Give --yes");
  expect(await place.run(older, { tty: ["stdin"], stdin: "n\n" })).toMatchObject({
    ...{ code: 0, err: expect.stringMatching(/[^✗]Nothing was deleted\.\n$/) },
  });
  expect(kept()).toHaveLength(3);
  expect((await place.run(older, { tty: ["stdin"], stdin: "y\n" })).err).toContain("✓ Deleted 2 researches.\n");
  expect(kept()).toEqual(["deep-search-0000000000.json"]);
  expect(await place.run([...older, "--yes"])).toEqual({ code: 0, out: "", err: "✓ Nothing is that old.\n" });
});
