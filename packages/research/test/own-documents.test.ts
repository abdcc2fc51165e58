import { join } from "node:path";
import { callTool, grounded, json, search as searching } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryRunStore, deepSearch, search } from "../src/index.js";
import { addressOf } from "../src/pages/documents/find-documents.js";
import { createPages } from "../src/pages/index.js";
import { folderWith } from "./pages/documents/folder.js";
import { simplePdf } from "./pages/simple-pdf.js";
import { realWorld } from "./real-world.js";
import { drain, world } from "./world.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const SENTENCE = "The pump of hall 3 was replaced on 14 March 2025 for 48,200 euros.";
const FILES = {
  "log/hall-3.md": `\n\n# Hall 3\n\nNotes.\n${SENTENCE}\n`,
  "log/hall-4.md": "# Hall 4\n\nNothing happened.",
};

const answer = (urls: Record<string, string>, verified = true) =>
  json({
    success: true,
    verified,
    report: Object.keys(urls)
      .map((url, at) => `It was replaced [${at + 1}](${url}).`)
      .join("\n"),
    metadata: { sources_visited: Object.keys(urls), search_queries_used: [] },
    claims: Object.entries(urls).map(([url, quote]) => ({
      text: quote,
      sources: [{ url, quote }],
      status: "supported",
    })),
  });

const read = (args: Record<string, unknown>) => callTool("mcp_pages_read_page", args);

test("a document of one's own is searched by words, quoted and proven with its line, without the web", async () => {
  const root = await folderWith(FILES);
  const url = addressOf(join(root, "log/hall-3.md"));
  const pages = createPages();
  onTestFinished(() => pages.close());
  const { deps, server } = await realWorld(
    (call) =>
      call.kind === "main"
        ? ([read({ url: addressOf(root), find: "pump replaced" })][call.turn] ?? answer({ [url]: SENTENCE }))
        : undefined,
    { pages },
  );
  const { report, logs } = await drain(
    search({ query: "When was the pump of hall 3 replaced?", files: [{ root }], web: false }, deps),
  );
  const [first, second] = server.requests.filter(({ kind }) => kind === "main");
  expect(first?.tools).toEqual(["mcp_pages_read_page"]);
  expect(first?.prompt).toContain(`- ${url} (`);
  expect(first?.prompt).toContain("The web is not used in this research");
  expect(JSON.stringify(second?.toolResults)).toContain(SENTENCE);
  expect(logs.filter((line) => /^\[(?:WARN|ERROR)\]/.test(line))).toEqual([]);
  expect(report.metadata).toMatchObject({
    documents: { given: 2, read: 1 },
    sources_visited: [url],
    evidence: {
      proven: 1,
      unseen: [],
      claims: [{ proof: "quoted", owners: 1, quotes: [{ url, found: "exact", line: 6, passage: SENTENCE }] }],
      sources: [{ url, title: "log/hall-3.md", status: "quoted", cited: true }],
      pages: [{ final_url: url, content_type: "text/markdown" }],
    },
  });
  expect(report.metadata.warnings).toBeUndefined();
});

test("documents and the web together: each is quoted where it stands", async () => {
  const root = await folderWith({
    "price.pdf": simplePdf([["First page."], ["The offer of 2026 is 51,300 euros net."]]),
  });
  const url = addressOf(join(root, "price.pdf"));
  const pages = createPages();
  onTestFinished(() => pages.close());
  const { deps } = await realWorld(
    (call) => {
      if (call.kind === "search")
        return grounded("Pumps.", { sources: [{ url: "http://93.184.215.14/pumps", title: "pumps" }] });
      if (call.kind !== "main") return undefined;
      return (
        [searching("pump price"), read({ url })][call.turn] ??
        answer({ [url]: "The offer of 2026 is 51,300 euros net." })
      );
    },
    { pages },
  );
  const files = [{ root, glob: "*.pdf" }];
  const filters = { allowedDomains: ["pumps.example"] };
  const { report } = await drain(search({ query: "What does the pump cost?", files, filters }, deps));
  expect(report.metadata).toMatchObject({
    search_queries_used: ["pump price"],
    evidence: { proven: 1, claims: [{ quotes: [{ url, found: "exact", page: 2 }] }] },
  });
  // The filters are of the web.
  expect(report.metadata.warnings).toBeUndefined();
});

test("rounds that verify with documents alone have searched, and a research goes on with the documents it had", async () => {
  const root = await folderWith(FILES);
  const url = addressOf(join(root, "log/hall-3.md"));
  const pages = createPages();
  onTestFinished(() => pages.close());
  const store = createMemoryRunStore();
  const { deps } = await realWorld(
    (call) =>
      call.kind === "main"
        ? ([read({ url })][call.turn] ?? answer({ [url]: SENTENCE }, call.prompt.includes("# Verify")))
        : undefined,
    { pages, store },
  );
  const asked = { query: "When was the pump replaced?", files: [{ root }], web: false } as const;
  const { report, events } = await drain(deepSearch({ ...asked, budget: { maxRuns: 1 } }, deps));
  expect(report.verified).toBe(false);
  const id = events.find((event) => event.type === "research-start")?.id ?? "";
  const resumed = await drain(deepSearch({ resume: id, budget: { maxRuns: 5 } }, deps));
  expect(resumed.report).toMatchObject({
    verified: true,
    metadata: { documents: { given: 2, read: 1 }, evidence: { proven: 1, unsupported_verifications: [] } },
  });
});

test.each([
  ["search", { "pump.md": SENTENCE }, "The document was not read: the answer does not rest on it."],
  ["deepSearch", FILES, "None of the 2 documents was read: the answer does not rest on them."],
] as const)("%s: that no document was read is said", async (kind, documents, warning) => {
  const root = await folderWith(documents);
  const pages = createPages();
  onTestFinished(() => pages.close());
  const { deps } = await realWorld(
    (call) =>
      call.kind === "main"
        ? ([searching("pump")][call.turn] ?? answer({ "http://93.184.215.14/pumps": SENTENCE }))
        : undefined,
    { pages },
  );
  const query = "When was the pump replaced?";
  const asked = { query, files: [{ root }], budget: { maxRuns: 2 } };
  const { report } = await drain(kind === "search" ? search(asked, deps) : deepSearch(asked, deps));
  expect(report.metadata.documents).toEqual({ given: Object.keys(documents).length, read: 0 });
  expect(report.metadata.warnings).toContain(warning);
});

test.each([
  [{ files: [] }, /Not documents: files is \[\]\. Expected 1 to 100/],
  [{ files: "notes" }, /Not documents/],
  [{ files: [{ root: "" }] }, /Not documents/],
  [{ web: false }, /Without the web there is nothing to research in/],
  [{ web: "no" }, /Expected true or false/],
  [{ files: [{ root: "/x" }] }, /Documents are read by the page tool, which is not used here/],
])("bad input %j", async (more, message) => {
  const { deps } = world([]);
  await expect(drain(search({ query: "q", ...(more as object) }, deps))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringMatching(message),
  });
});

test("documents that are not there are said before a model is asked", async () => {
  const pages = createPages();
  onTestFinished(() => pages.close());
  const { deps, requests } = world([], { pages });
  await expect(drain(search({ query: "q", files: [{ root: "/nowhere/at/all" }] }, deps))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("/nowhere/at/all cannot be read: it is not there"),
  });
  expect(requests).toEqual([]);
});
