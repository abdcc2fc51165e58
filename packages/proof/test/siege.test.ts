import { expect, test } from "vitest";
import { ABUSES } from "../siege/abuses.js";
import { dangersIn, dangersInLog } from "../siege/dangers.js";
import { playOf } from "../siege/ground.js";
import { MALLOC } from "../siege/image.js";
import { holds, type Row, toMarkdown } from "../siege/page.js";
import type { Played } from "../siege/play.js";
import { judge, type Siege } from "../siege/verdict.js";

const BORNE: Siege = {
  calls: [{ at: 0, ms: 80 }],
  health: Array.from({ length: 100 }, (_, at) => ({ at, ms: 5, idleMs: 2, residentMB: 90 })),
  peakMB: 120,
  diskMB: 50,
  ends: [],
  abuses: { of: 2, played: 2, held: 2 },
  dangersInLog: [],
  left: { descriptors: [], processes: [], files: [] },
  exitMs: 40,
};

const healthWith = (sample: { ms: number; lost?: true }, count: number) =>
  BORNE.health.map((each, i) => (i < count ? { ...each, ...sample } : each));

const missed = (siege: Partial<Siege>) =>
  judge({ ...BORNE, ...siege })
    .filter(({ ok }) => !ok)
    .map(({ what }) => what);

test("a siege that the server bears holds in every respect", () => {
  expect(missed({})).toEqual([]);
});

test.each<[string, Partial<Siege>]>([
  ["every call of the well-behaved client is answered", { calls: [{ at: 0, ms: 80, failed: "busy" }] }],
  ["every call of the well-behaved client is answered", { calls: [] }],
  ["`/health` p99 below 100 ms", { health: healthWith({ ms: 300 }, 3) }],
  [
    "no look at `/health` takes 1000 ms",
    { health: [...BORNE.health, ...BORNE.health, ...healthWith({ ms: 1_200 }, 1)] },
  ],
  ["memory below 400 MB", { peakMB: 401 }],
  ["memory below 400 MB", { peakMB: 0 }],
  ["disk below 500 MB", { diskMB: 660 }],
  ["the server neither ends nor freezes", { ends: ["ended by itself with 1"] }],
  ["every abuse comes out as it must", { abuses: { of: 2, played: 2, held: 1 } }],
  ["every abuse comes out as it must", { abuses: { of: 2, played: 1, held: 1 } }],
  ["nothing in the log acts on a terminal", { dangersInLog: ["a control character"] }],
  ["no descriptor is left when the clients are gone", { left: { ...BORNE.left, descriptors: ["socket:[1]"] } }],
  ["exit within 2000 ms of SIGTERM, with runs and parsing under way", { exitMs: 2_500 }],
  ["exit within 2000 ms of SIGTERM, with runs and parsing under way", { exitMs: undefined }],
  ["no process is left", { left: { ...BORNE.left, processes: ["node gemini"] } }],
  ["no temporary file is left", { left: { ...BORNE.left, files: ["config/runs/1/stdout"] } }],
])("it is seen when this does not hold: %s", (what, siege) => {
  expect(missed(siege)).toEqual([what]);
});

test("the server under siege has what the Docker image sets for the C library", () => {
  expect(MALLOC).toEqual({ MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" });
});

test("a look at the health that is not answered is a slow one, too", () => {
  expect(missed({ health: healthWith({ ms: 3, lost: true }, 2) })).toEqual([
    "every look at `/health` is answered",
    "`/health` p99 below 100 ms",
    "no look at `/health` takes 1000 ms",
  ]);
});

test.each([
  ["a control character", "tides \u001B[2J"],
  ["a control character", "tides \u009B31m"],
  ["a character that turns the direction of writing", "tides \u202Egnp.exe"],
  ["a tag character", "tides \u{E0041}"],
  ["an image that a host would load", "tides ![](https://evil.example/x)"],
  ["an image that a host would load", "tides [![a](https://evil.example/x)](https://e.org)"],
  ["an image that a host would load", "tides ![a][pic]"],
  ["raw HTML", "tides <img src=https://evil.example/x>"],
  ["raw HTML", "tides <ScRiPt>"],
  ["a link that runs or holds something", "tides [a](javascript:alert(1))"],
  ["a link that runs or holds something", "tides [a](< DATA:text/html,x>)"],
  ["a link that runs or holds something", "tides <javascript:alert(1)>"],
])("%s is seen wherever it stands", (danger, text) => {
  const named = [expect.stringContaining(danger)];
  expect(dangersIn({ result: { content: [{ type: "text", text }] } })).toEqual(named);
  expect(dangersIn({ text: JSON.stringify({ result: text }) })).toEqual(named);
  expect(dangersIn({ [text]: 1 })).toEqual(named);
});

test("a report without danger is let through", () => {
  const text =
    "# Tides!\n\n> High [1](https://example.org/1), 3 < 4,\ta&lt;img> !\\[x](https://e.org) \\<img> ![ data: javascript:\r\n";
  expect(dangersIn({ text, more: [text, 1, null, true] })).toEqual([]);
  expect(dangersInLog(`[INFO] ${text}`)).toEqual([]);
});

test("every abuse is one row with a name of its own, and says what is sent and what must come of it", () => {
  const names = ABUSES.map(playOf);
  expect(new Set(names).size).toBe(names.length);
  // The CLI reads the play from its prompt by this.
  expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
  expect(ABUSES.filter(({ sent, expected, withinMs }) => sent === "" || expected === "" || !(withinMs > 0))).toEqual(
    [],
  );
});

test("a row holds when nothing went wrong in any of its turns", () => {
  const [abuse] = ABUSES;
  if (abuse === undefined) throw new Error("no abuse");
  const well: Played = { from: 0, to: 50, said: "refused", problems: [], outlived: false };
  const row = (...played: Played[]): Row => ({ group: "Requests", abuse, played });
  expect(holds(row(well, well))).toBe(true);
  expect(holds(row())).toBe(false);
  expect(holds(row(well, { ...well, problems: ["accepted"] }))).toBe(false);
  expect(holds(row({ ...well, outlived: true }))).toBe(false);

  const page = toMarkdown(
    BORNE,
    judge(BORNE),
    [row({ ...well, problems: ["accepted | ![](https://e.org)\u001B"] })],
    5,
  );
  expect(page).toContain("**fails**: accepted \\| !\\[](https://e.org)·");
});
