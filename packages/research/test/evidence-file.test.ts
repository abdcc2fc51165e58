import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createEvidenceFile, recheckQuotes, verifyEvidenceFile } from "../src/evidence-file.js";
import { builtInPrompts, createMemoryPageStore, createMemoryRunStore, deepSearch, search } from "../src/index.js";
import { library } from "./reading.js";
import { answer, draft, drain, final, world } from "./world.js";

const LAKE = "https://lakes.example.org/vessin";
const TEXT =
  "# Lake Vessin\n\nLake Vessin covers an area of 212 square kilometres.\nIt was first measured in 1894 by Ida Brandt.";
const AREA = "Lake Vessin covers an area of 212 square kilometres.";
const claims = [
  { text: AREA, sources: [{ url: LAKE, quote: AREA }], status: "supported" },
  {
    text: "It is deep.",
    sources: [{ url: LAKE, quote: "Nobody knows how deep the lake is in winter." }],
    status: "disputed",
  },
];

/** A finished research, its evidence, and the file of it. */
async function kept(kind: "search" | "deep-search" = "deep-search") {
  const { pages, reading } = library();
  const [store, pageStore] = [createMemoryRunStore(), createMemoryPageStore()];
  const turns =
    kind === "search"
      ? [reading({ [LAKE]: TEXT }, answer("212 km² [1].", { claims }))]
      : [reading({ [LAKE]: TEXT }, draft("212 km² [1].", { claims })), reading({}, final("212 km² [1].", { claims }))];
  const { deps } = world(turns, { pages, store, pageStore });
  const run = kind === "search" ? search({ query: "How large?" }, deps) : deepSearch({ query: "How large?" }, deps);
  const { report } = await drain<{ metadata: { evidence?: object } }>(run);
  const [id = ""] = await store.list();
  const options = { store, pageStore, prompts: builtInPrompts };
  return { file: await createEvidenceFile(id, options), evidence: report.metadata.evidence, id, options };
}

/** The file with one change in what it holds. */
function altered(file: Uint8Array, change: (text: string) => string): Uint8Array {
  return gzipSync(change(gunzipSync(file).toString("utf8")));
}

test.each(["search", "deep-search"] as const)(
  "the evidence of a %s comes out of its file as it was, byte for byte [evidence/file]",
  async (kind) => {
    const { file, evidence } = await kept(kind);
    const check = await verifyEvidenceFile(file);
    expect(check).toMatchObject({ question: "How large?", problems: [] });
    expect(JSON.stringify(check.evidence)).toBe(JSON.stringify(evidence));
    expect(check.evidence).toMatchObject({ proven: 0.5, claims: [{ proof: "quoted" }, { proof: "read" }] });
  },
);

test.each([
  [
    "a page",
    (text: string) => text.replaceAll("212 square kilometres.\\n", "221 square kilometres.\\n"),
    [`the text of ${LAKE} was altered`, "claim 1 is"],
  ],
  [
    "the question",
    (text: string) => text.replace('"question":"How large?"', '"question":"How deep?"'),
    ["the question was altered"],
  ],
  [
    "the verdict on a claim",
    (text: string) => text.replace('"proof":"read"', '"proof":"quoted"'),
    ["the evidence was altered", "claim 2 is read, not quoted"],
  ],
  [
    "a number of the evidence",
    (text: string) => text.replace('"proven":0.5', '"proven":1'),
    ["evidence.proven is 0.5, not 1"],
  ],
  ["the record", (text: string) => text.replace('"queries":["q"]', '"queries":["q","r"]'), ["the record of searches"]],
])("%s that was altered is named [evidence/tampered-file]", async (_, change, named) => {
  const { file } = await kept();
  const { problems } = await verifyEvidenceFile(altered(file, change));
  for (const words of named) expect(problems).toContainEqual(expect.stringContaining(words));
});

test.each([
  ["no gzip", Buffer.from("{}")],
  ["no JSON", gzipSync("x")],
  ["another form", gzipSync('{"format":"else"}')],
])("what is no evidence file is refused: %s", async (_, bytes) => {
  await expect(verifyEvidenceFile(bytes)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("a research that is not kept, or has no result, gives no file", async () => {
  const { options } = await kept();
  await expect(createEvidenceFile("gone", options)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("quotations are looked for on the pages as they are today", async () => {
  const { file } = await kept();
  const { evidence } = await verifyEvidenceFile(file);
  const now = async (read: () => Promise<string>) => (await recheckQuotes(evidence, read)).map((quote) => quote.now);
  expect(await now(async () => TEXT)).toEqual(["stands"]);
  expect(await now(async () => TEXT.replace("212", "219"))).toEqual(["changed"]);
  expect(await now(() => Promise.reject(new Error("answered 404")))).toEqual(["gone"]);
});

test("a document of one's own is read only where that is allowed, and by what reads documents", async () => {
  const { evidence } = await verifyEvidenceFile((await kept()).file);
  const url = "file:///notes/lake.md";
  const claims = evidence.claims.map((claim) => ({
    ...claim,
    quotes: claim.quotes.map((quote) => ({ ...quote, url })),
  }));
  const read = () => Promise.reject(new Error("is no page of the web"));
  const now = async (document?: () => Promise<string | undefined>) =>
    (
      await recheckQuotes({ ...evidence, claims }, read, {
        archive: "https://a.example/",
        ...(document && { document }),
      })
    ).map((quote) => quote.now);
  expect(await now()).toEqual(["own"]);
  expect(await now(async () => undefined)).toEqual(["own"]);
  expect(await now(async () => TEXT)).toEqual(["stands"]);
  expect(await now(async () => "Another text.")).toEqual(["changed"]);
  expect(await now(() => Promise.reject(new Error("it is not there any more")))).toEqual(["gone"]);
});

describe("an archive", () => {
  const archive = "https://archive.example/available?of=pages";
  const copy = "http://archive.example/20261120/vessin";
  const asked: string[] = [];
  const online = async (page: string, answer: unknown) => {
    const { evidence } = await verifyEvidenceFile((await kept()).file);
    asked.length = 0;
    const read = async (url: string) => {
      asked.push(url);
      return url === LAKE ? page : JSON.stringify(answer);
    };
    return recheckQuotes(evidence, read, { archive });
  };
  const answering = (url: unknown, available = true) => ({ archived_snapshots: { closest: { available, url } } });

  test("is asked for a copy from when the page was read, where its words do not stand any more [evidence/online]", async () => {
    expect(await online("Another page.", answering(copy))).toMatchObject([{ now: "changed", archived: copy }]);
    const query = { of: "pages", url: LAKE, timestamp: "20261120120000" };
    expect(asked.slice(1).map((url) => Object.fromEntries(new URL(url).searchParams))).toEqual([query]);
  });

  test("is not asked for what stands", async () => {
    expect(await online(TEXT, answering(copy))).toEqual([{ url: LAKE, text: AREA, now: "stands" }]);
    expect(asked).toEqual([LAKE]);
  });

  test.each([
    ["has none", { archived_snapshots: {} }],
    ["has lost it", answering(copy, false)],
    ["names no address of the web", answering("javascript:alert(1)")],
    ["answers something else", "<html>"],
  ])("that %s gives none", async (_, answer) => {
    expect(await online("Another page.", answer)).toEqual([{ url: LAKE, text: AREA, now: "changed" }]);
  });
});
