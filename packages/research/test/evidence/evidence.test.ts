import { expect, test } from "vitest";
import { deepSearch, type ResearchDeps, search } from "../../src/index.js";
import { answer, draft, drain, failure, final, recorded, type Turn, world } from "../world.js";

const LINK = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/";
const read = (url: string, title?: string) => ({
  url,
  status: "retrieved" as const,
  ...(title !== undefined && { title }),
});
const found = (url: string, title?: string) => ({
  url,
  status: "found" as const,
  ...(title !== undefined && { title }),
});

async function metadataOf(turn: Turn, more: Partial<ResearchDeps> = {}) {
  const { report } = await drain(search({ query: "q" }, world([turn], more).deps));
  return { result: report.result, ...report.metadata, evidence: report.metadata.evidence };
}

test("each cited address is retrieved, found or unseen, by the record of the runs", async () => {
  const text = answer("A [1](https://a.org/x), B [2](https://b.org/y), C [3](https://invented.org/z).", {
    metadata: { sources_visited: ["https://a.org/x", "https://example.com/made-up", "https://b.org/y"] },
    claims: [
      { text: "A holds.", sources: ["https://a.org/x", "https://invented.org/z"], status: "supported" },
      { text: "C holds.", sources: ["https://invented.org/z"], status: "supported" },
      { text: "B is argued about.", sources: ["https://b.org/y"], status: "disputed" },
      { text: "Nobody says so.", sources: [], status: "unsupported" },
      { text: "", sources: [] },
      "no claim",
    ],
  });
  const { evidence, sources_visited, warnings } = await metadataOf(
    recorded(text, [
      read("https://www.a.org/x/", "A"),
      found("https://b.org/y"),
      found("https://c.org/never-cited"),
      read("https://d.org/read"),
    ]),
  );
  expect(evidence).toEqual({
    status: "available",
    sources: [
      { url: "https://www.a.org/x/", title: "A", status: "retrieved", cited: true },
      { url: "https://b.org/y", status: "found", cited: true },
      { url: "https://d.org/read", status: "retrieved", cited: false },
    ],
    unseen: ["https://invented.org/z", "https://example.com/made-up"],
    citation_accuracy: 0.5,
    independent_hosts: 2,
    claims: [
      {
        text: "A holds.",
        sources: ["https://www.a.org/x/"],
        status: "supported",
        proof: "read",
        owners: 1,
        quotes: [],
      },
      { text: "C holds.", sources: [], status: "unsupported", proof: "none", owners: 0, quotes: [] },
      {
        text: "B is argued about.",
        sources: ["https://b.org/y"],
        status: "disputed",
        proof: "found",
        owners: 1,
        quotes: [],
      },
      { text: "Nobody says so.", sources: [], status: "unsupported", proof: "none", owners: 0, quotes: [] },
    ],
    proven: 0,
    contradictions: [],
    pages: [],
    unsupported_verifications: [],
  });
  expect(sources_visited).toEqual(["https://www.a.org/x/", "https://b.org/y", "https://d.org/read"]);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^2 cited addresses were not seen .* https:\/\/invented\.org\/z, https:\/\/example\.com\/made-up$/,
    ),
  ]);
});

test("without a record nothing is claimed, and the model's word stays its word", async () => {
  const text = answer("A [1](https://a.org/x).", {
    metadata: { sources_visited: "https://a.org/x", search_queries_used: ["one"] },
  });
  const { evidence, sources_visited, search_queries_used, warnings } = await metadataOf({ text });
  expect(evidence).toMatchObject({
    status: "unavailable",
    sources: [],
    unseen: [],
    citation_accuracy: null,
    claims: [],
  });
  expect(sources_visited).toEqual(["https://a.org/x"]);
  expect(search_queries_used).toEqual(["one"]);
  expect(warnings).toBeUndefined();
});

test("with a record, the queries are those that ran", async () => {
  const text = answer("A.", { metadata: { search_queries_used: ["invented"] } });
  expect((await metadataOf(recorded(text, [], ["real one", "real two"]))).search_queries_used).toEqual([
    "real one",
    "real two",
  ]);
  expect((await metadataOf(recorded(text, [], []))).search_queries_used).toEqual([]);
});

test("an answer without citations has no accuracy", async () => {
  expect((await metadataOf(recorded(answer("A.")))).evidence).toMatchObject({
    citation_accuracy: null,
    independent_hosts: 0,
  });
});

test("a round that says verified without a search that gave results is named", async () => {
  const { deps } = world([recorded(draft("one"), [read("https://a.org/x")]), recorded(final("two"), [], [])]);
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(report.verified).toBe(true);
  expect(report.metadata.evidence?.unsupported_verifications).toEqual([2]);
  expect(report.metadata.warnings).toEqual(['Round 2 said "verified" without one search that gave results.']);
});

test("a page that an earlier round has seen counts in a later one, also when that round's answer was unreadable or failed to please", async () => {
  const { deps } = world(
    [
      recorded("no JSON at all", [read("https://a.org/x")]),
      recorded(draft("one"), [found("https://b.org/y")]),
      recorded(
        final("From [1](https://a.org/x) and [2](https://b.org/y).", {
          metadata: { sources_visited: ["https://a.org/x"] },
        }),
      ),
    ],
    {},
  );
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(report.metadata.evidence).toMatchObject({ unseen: [], citation_accuracy: 1, independent_hosts: 2 });
  expect(report.metadata.sources_visited).toEqual(["https://a.org/x"]);
});

test("one round without a record makes the whole unavailable", async () => {
  const { deps } = world([recorded(draft("one"), [read("https://a.org/x")]), { text: final("From https://b.org/y.") }]);
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(report.metadata.evidence).toMatchObject({ status: "unavailable", unseen: [] });
});

test("redirect links become the pages behind them, once, everywhere", async () => {
  const asked: string[] = [];
  const pages: Record<string, string> = {
    [`${LINK}A`]: "https://a.org/x?utm_source=g",
    [`${LINK}AB`]: "https://b.org/y",
  };
  const resolveUrl = async (url: string) => {
    asked.push(url);
    return pages[url];
  };
  const sources = [
    found(`${LINK}A`, "a.org"),
    found(`${LINK}AB`, "b.org"),
    found(`${LINK}C`, "c.org"),
    read("https://a.org/x"),
  ];
  const text = draft(`One [1](${LINK}A), two [2](${LINK}AB), three [3](${LINK}C).`, {
    metadata: { sources_visited: [`${LINK}A`, `${LINK}C`] },
  });
  const { deps } = world(
    [
      recorded(text, sources),
      recorded(final(`One [1](https://a.org/x), two [2](${LINK}AB), three [3](${LINK}C).`), sources),
    ],
    { resolveUrl },
  );
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(report.result).toBe(`One [1](https://a.org/x), two [2](https://b.org/y), three [3](${LINK}C).`);
  expect(asked.toSorted()).toEqual([`${LINK}A`, `${LINK}AB`, `${LINK}C`]);
  expect(report.metadata.sources_visited).toEqual(["https://a.org/x", `${LINK}C`]);
  expect(report.metadata.evidence).toMatchObject({
    sources: [
      { url: "https://a.org/x", title: "a.org", status: "retrieved", cited: true },
      { url: "https://b.org/y", title: "b.org", status: "found", cited: true },
      { url: `${LINK}C`, title: "c.org", status: "found", cited: true },
    ],
    unseen: [],
    citation_accuracy: 1,
    independent_hosts: 3,
  });
});

test.each([
  ["off", false as const],
  ["failing", async () => Promise.reject(new Error("no network"))],
])("with a resolver that is %s, links are kept and their titles name the host", async (_, resolveUrl) => {
  const { evidence, result } = await metadataOf(recorded(answer(`A [1](${LINK}A).`), [found(`${LINK}A`, "a.org")]), {
    resolveUrl,
  });
  expect(result).toContain(`${LINK}A`);
  expect(evidence).toMatchObject({ sources: [{ url: `${LINK}A`, title: "a.org" }], unseen: [], independent_hosts: 1 });
});

test("a link that could not be resolved is judged by the host in its title", async () => {
  const sources = [found(`${LINK}A`, "docs.iana.org"), found(`${LINK}B`, "evil.net")];
  const text = answer(`A [1](${LINK}A), B [2](${LINK}B).`, { metadata: { sources_visited: [`${LINK}A`, `${LINK}B`] } });
  const { deps } = world([recorded(text, sources)]);
  const { report } = await drain(search({ query: "q", filters: { allowedDomains: ["iana.org"] } }, deps));
  expect(report.metadata.sources_visited).toEqual([`${LINK}A`]);
  expect(report.metadata.warnings).toEqual([`The report cites pages that the filters exclude: ${LINK}B`]);
});

test("an attempt that was cut off says nothing about the one that gave the answer", async () => {
  const cut = failure("EXECUTION_ERROR", "cut off", { reason: "truncated", text: "no JSON" });
  const { deps } = world([cut, recorded(answer("A [1](https://a.org/x)."), [read("https://a.org/x")])]);
  const { report } = await drain(search({ query: "q" }, deps));
  expect(report.metadata.evidence).toMatchObject({ status: "available", citation_accuracy: 1 });
});

test("no round waits for a link, and at most a hundred are asked", async () => {
  let asked = 0;
  const open = new Set<AbortSignal | undefined>();
  const order: string[] = [];
  const resolveUrl = async (_: string, signal?: AbortSignal) => {
    asked++;
    open.add(signal);
    await new Promise<void>((resolve) => setImmediate(resolve));
    order.push("resolved");
    return undefined;
  };
  const sources = Array.from({ length: 150 }, (_, i) => found(`${LINK}${i}`));
  const second = () => {
    order.push("round 2");
    return recorded(final("two"));
  };
  const { deps } = world([recorded(draft("one"), sources), second], { resolveUrl });
  await drain(deepSearch({ query: "q" }, deps));
  expect(asked).toBe(100);
  expect(order[0]).toBe("round 2");
  expect([...open].map((signal) => signal?.aborted)).toEqual([true]);
});

test("filters stand in the prompt as operators and are checked on what comes back", async () => {
  const text = answer("Aus [1](https://docs.iana.org/x) und [2](https://evil.net/y) folgt es.", {
    metadata: { sources_visited: ["https://docs.iana.org/x", "https://evil.net/y"] },
  });
  const { deps, requests } = world([
    recorded(text, [read("https://docs.iana.org/x"), read("https://evil.net/y")], ["ports after:2026-10-20", "ports"]),
  ]);
  const filters = {
    allowedDomains: ["iana.org", "ietf.org"],
    blockedDomains: ["evil.net"],
    recency: "month",
    language: "ja",
  } as const;
  const { report } = await drain(search({ query: "ports", filters }, deps));
  const [{ prompt = "" } = {}] = requests;
  expect(prompt).toContain("(site:iana.org OR site:ietf.org)");
  expect(prompt).toContain("-site:evil.net");
  expect(prompt).toContain("after:2026-10-20");
  expect(prompt).toContain("in this language: ja");
  expect(report.metadata.sources_visited).toEqual(["https://docs.iana.org/x"]);
  expect(report.metadata.warnings).toEqual([
    "The report cites pages that the filters exclude: https://evil.net/y",
    expect.stringMatching(/^1 of 2 searches were not limited to pages of the last month/),
    "The report does not seem to be written in ja.",
  ]);
});

test.each([
  ["de", "Die Gezeiten entstehen durch den Mond.", true],
  ["ja", "潮の満ち引きは月によるものです。", true],
  ["zh-Hans", "潮汐是由月球引起的。", true],
  ["ko", "조수는 달 때문이다.", true],
  ["ru", "The tides.", false],
  ["Swiss German (Bern)", "The tides.", true],
])("a report in %s", async (language, text, fits) => {
  const { report } = await drain(search({ query: "q", filters: { language } }, world([answer(text)]).deps));
  expect(report.metadata.warnings === undefined).toBe(fits);
});

test("a failed round's error is in its metadata, and it has no sources", async () => {
  const { deps } = world([draft("one"), failure("EXECUTION_ERROR", "took too long", { reason: "timeout" })]);
  const { report } = await drain(deepSearch({ query: "q", maxRounds: 2 }, deps));
  expect(report.metadata.rounds?.[1]).toEqual({
    round_number: 2,
    sources_visited: [],
    search_queries: [],
    intermediate_result_summary: "",
    error: { code: "EXECUTION_ERROR", message: "took too long" },
  });
});
