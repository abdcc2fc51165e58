import { expect, test } from "vitest";
import { createMemoryPageStore, createMemoryRunStore, deepSearch, search } from "../../src/index.js";
import { library } from "../reading.js";
import { answer, draft, drain, final, world } from "../world.js";

const LAKE = "https://lakes.example.org/vessin";
const TEXT =
  "# Lake Vessin\n\nLake Vessin covers an area of 212 square kilometres.\nIt was first measured in 1894 by Ida Brandt.";
const AREA = "Lake Vessin covers an area of 212 square kilometres.";
const claim = (text: string, quote: unknown, more: object = {}) => ({
  text,
  sources: [{ url: LAKE, quote }],
  status: "supported",
  ...more,
});

/** The evidence of one search that read the page. */
async function evidenceOf(claims: unknown[], texts: Record<string, string> = { [LAKE]: TEXT }) {
  const { pages, reading } = library();
  const { deps } = world([reading(texts, answer("The lake is large [1].", { claims }))], { pages });
  const { report } = await drain(search({ query: "How large is Lake Vessin?" }, deps));
  if (report.metadata.evidence === undefined) throw new Error("There is no evidence.");
  return report.metadata.evidence;
}

test("a claim whose quotation stands on a page that was read is quoted, with the page's own characters [evidence/quoted]", async () => {
  const evidence = await evidenceOf([claim(AREA, "lake vessin covers an  area of 212 square kilometres")]);
  expect(evidence).toMatchObject({
    proven: 1,
    claims: [
      {
        status: "supported",
        proof: "quoted",
        sources: [LAKE],
        quotes: [{ url: LAKE, found: "loose", passage: AREA.slice(0, -1) }],
        owners: 1,
      },
    ],
    sources: [{ url: LAKE, status: "quoted", cited: true, title: "About lakes.example.org" }],
    pages: [{ url: LAKE, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), content_type: "text/html" }],
  });
  expect(evidence.claims[0]).not.toHaveProperty("missing");
});

test("a quotation that differs in a number proves nothing, and the true words stand beside it [evidence/altered]", async () => {
  const evidence = await evidenceOf([
    claim("The lake covers 221 square kilometres.", "Lake Vessin covers an area of 221 square kilometres."),
  ]);
  expect(evidence).toMatchObject({
    proven: 0,
    claims: [{ proof: "read", quotes: [{ found: "altered", passage: expect.stringContaining("212 square") }] }],
    sources: [{ url: LAKE, status: "retrieved" }],
  });
});

test("what a claim says and its quotations do not hold is named, and the claim is not proven [evidence/missing-parts]", async () => {
  const { claims } = await evidenceOf([
    claim("Lake Vessin covers 212 square kilometres and is 41 m deep.", AREA),
    claim("Ida Brandt measured Lake Vessin in 1894.", ["It was first measured in 1894 by Ida Brandt.", AREA]),
  ]);
  expect(claims).toMatchObject([
    { proof: "read", missing: expect.arrayContaining([expect.stringContaining("41")]) },
    { proof: "quoted" },
  ]);
});

test("a quotation that stands on another page is moved to it, and one that stands nowhere is not found [evidence/elsewhere]", async () => {
  const other = "https://maps.example.com/lakes";
  const { claims } = await evidenceOf(
    [
      { text: AREA, sources: [{ url: other, quote: AREA }], status: "supported" },
      claim("It is very old.", "The lake is older than all others of the country."),
      claim("It is old.", "old"),
    ],
    { [LAKE]: TEXT, [other]: "Nothing of it." },
  );
  expect(claims).toMatchObject([
    { proof: "quoted", quotes: [{ url: LAKE, found: "elsewhere" }], sources: expect.arrayContaining([LAKE]) },
    { proof: "read", quotes: [{ found: "not-found" }] },
    { proof: "read", quotes: [{ found: "not-found", unusable: "too-short" }] },
  ]);
});

test("words that Google attributes to a source carry a claim that rests on a search alone [evidence/attributed]", async () => {
  const source = { url: "https://a.org/x", status: "found" as const };
  const { deps } = world([
    {
      text: answer("It is so [1].", {
        claims: [
          { text: "The tower has 324 metres since 2022.", sources: [source.url], status: "supported" },
          { text: "The tower has 330 metres since 2022.", sources: [source.url], status: "supported" },
        ],
      }),
      recorded: true,
      queries: ["q"],
      sources: [source],
      attributions: [{ text: "The tower has 324 metres since 2022.", urls: [source.url] }],
    },
  ]);
  const { report } = await drain(search({ query: "tower" }, deps));
  expect(report.metadata.evidence).toMatchObject({
    proven: 0.5,
    claims: [
      { proof: "attributed", status: "supported", sources: [source.url] },
      // Nobody read the page: the model's word alone.
      { proof: "found", status: "unsupported" },
    ],
    sources: [{ url: source.url, status: "attributed" }],
  });
});

test("quoted claims that give different values are named as contradicting each other [evidence/contradictions]", async () => {
  const other = "https://maps.example.com/lakes";
  const another = "Lake Vessin covers an area of 230 square kilometres.";
  const evidence = await evidenceOf(
    [claim(AREA, AREA), { text: another, sources: [{ url: other, quote: another }], status: "supported" }],
    { [LAKE]: TEXT, [other]: another },
  );
  expect(evidence).toMatchObject({ proven: 1, contradictions: [{ claims: [0, 1], values: ["212", "230"] }] });
});

test("a page that says the same as another counts as one owner with it [evidence/owners]", async () => {
  const copy = "https://copy.example.net/vessin";
  const long = `${TEXT}\n\n${Array.from({ length: 60 }, (_, i) => `Sentence ${i} tells of the shore and of boat ${i * 7}.`).join(" ")}`;
  const { claims } = await evidenceOf(
    [{ text: AREA, sources: [LAKE, copy].map((url) => ({ url, quote: AREA })), status: "supported" }],
    { [LAKE]: long, [copy]: long },
  );
  expect(claims).toMatchObject([{ proof: "quoted", owners: 1 }]);
});

test("the next round is told claim by claim what was proven, and what the page really says [evidence/next-round]", async () => {
  const { pages, reading } = library();
  const wrong = "Lake Vessin covers an area of 221 square kilometres.";
  const first = draft("221 km² [1].", {
    claims: [claim(wrong, wrong), claim("Ida Brandt measured it in 1894.", TEXT.split("\n")[3])],
  });
  const second = final("212 km² [1].", { claims: [claim(AREA, AREA)] });
  const { deps, requests } = world([reading({ [LAKE]: TEXT }, first), reading({}, second)], { pages });
  const { report } = await drain(deepSearch({ query: "How large?" }, deps));
  const [, verify = ""] = requests.map(({ prompt }) => prompt);
  expect(verify).toContain(
    `- ${wrong} (supported, ${LAKE}) NOT PROVEN: ${LAKE} does not say "${wrong}" but "${AREA.slice(0, -1)}"`,
  );
  expect(verify).toContain(`PROVEN: ${LAKE} says "It was first measured in 1894 by Ida Brandt."`);
  // The page was read in the first round: the text is still there.
  expect(report).toMatchObject({
    verified: true,
    metadata: { evidence: { proven: 1, claims: [{ proof: "quoted" }] } },
  });
});

test("with a required share rounds go on until so many claims are proven [evidence/required-share]", async () => {
  const { pages, reading } = library();
  const guess = claim(AREA, "The area of this lake is about two hundred square kilometres.");
  const turns = [
    reading({ [LAKE]: TEXT }, draft("One.", { claims: [guess] })),
    reading({}, final("Two.", { claims: [guess] })),
    reading({}, final("Three.", { claims: [claim(AREA, AREA)] })),
  ];
  const { deps, requests } = world(turns, { pages });
  const { report } = await drain(deepSearch({ query: "q", requireEvidence: 100 }, deps));
  expect(requests).toHaveLength(3);
  expect(report).toMatchObject({ verified: true, metadata: { evidence: { proven: 1, required: 1 } } });
  expect(report.metadata).not.toHaveProperty("note");
});

test("a required share that is not reached is told in the note", async () => {
  const { pages, reading } = library();
  const guess = claim(AREA, "The area of this lake is about two hundred square kilometres.");
  const turns = [1, 2].map(() => reading({ [LAKE]: TEXT }, final("Two.", { claims: [guess] })));
  const { deps } = world(turns, { pages });
  const { report } = await drain(deepSearch({ query: "q", requireEvidence: 50, maxRounds: 2 }, deps));
  expect(report.metadata.note).toContain("0 of 1 claims are proven");
});

test.each([-1, 101, "many"])("a required share of %j is refused", async (requireEvidence) => {
  const run = deepSearch({ query: "q", requireEvidence: requireEvidence as number }, world([]).deps);
  await expect(drain(run)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("requireEvidence"),
  });
});

test("a research that goes on later has the texts of its pages, where they are kept", async () => {
  const rounds = async (pageStore: ReturnType<typeof createMemoryPageStore> | undefined) => {
    const { pages, reading } = library();
    const store = createMemoryRunStore();
    const kept = { store, pages, ...(pageStore && { pageStore }) };
    const stop = new AbortController();
    const first = world(
      [
        reading({ [LAKE]: TEXT }, draft("One.", { claims: [claim(AREA, AREA)] })),
        () => {
          stop.abort();
          return new Error("stopped");
        },
      ],
      kept,
    );
    await drain(deepSearch({ query: "q", signal: stop.signal }, first.deps)).catch(() => {});
    const [id = ""] = await store.list();
    const second = world([reading({}, final("Two.", { claims: [claim(AREA, AREA)] }))], kept);
    const { report } = await drain(deepSearch({ resume: id }, second.deps));
    return report.metadata.evidence;
  };
  expect(await rounds(createMemoryPageStore())).toMatchObject({ proven: 1, claims: [{ proof: "quoted" }] });
  expect(await rounds(undefined)).toMatchObject({ proven: 0, claims: [{ proof: "read" }], pages: [] });
});

test("the runs are given the page tool and told of it; correction runs are not", async () => {
  const { pages, reading } = library();
  const { deps, requests } = world([reading({}, answer("ok"))], { pages, webFetch: false });
  await drain(search({ query: "q" }, deps));
  expect(requests[0]).toMatchObject({
    mcpServers: { pages: { includeTools: ["read_page"] } },
    tools: ["google_web_search"],
  });
  expect(requests[0]?.prompt).toContain("Read pages with `read_page`");
  const alone = world([answer("ok")]);
  await drain(search({ query: "q" }, alone.deps));
  expect(alone.requests[0]).not.toHaveProperty("mcpServers");
});

test("where the page tool cannot be opened, the CLI's own reads, with a warning", async () => {
  const pages = { open: () => Promise.reject(new Error("no port is free")) };
  const { deps, requests } = world([answer("ok")], { pages, webFetch: false });
  const { logs } = await drain(search({ query: "q" }, deps));
  expect(logs).toContain("[WARN] The page tool cannot be offered: no port is free");
  expect(requests[0]).not.toHaveProperty("tools");
});
