import { callTool, grounded, json, type ModelCall, search as searching } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { deepSearch, type PageSession, type Pages, search } from "../src/index.js";
import { createPages } from "../src/pages/index.js";
import { HTML, misquoting, PAGE, sentence, startWebsite } from "./pages/lake.js";
import { startProxy, startSite } from "./pages/servers.js";
import { kindOf, realWorld } from "./real-world.js";
import { drain } from "./world.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

test("a number that the first answer misquotes is corrected in the next round, and shown as proven [evidence/pages-read-by-us]", async () => {
  const { site, env } = await startWebsite();
  const pages = createPages({ env });
  onTestFinished(() => pages.close());
  const seen: ModelCall[] = [];
  const { deps } = await realWorld(
    misquoting((call) => seen.push(call)),
    { pages },
  );
  const { report, logs } = await drain(deepSearch({ query: "How large is Lake Vessin?", requireEvidence: 100 }, deps));
  expect(logs.filter((line) => /^\[(?:WARN|ERROR)\]/.test(line))).toEqual([]);
  // The model reads the page's own text, between marks.
  const shown = JSON.stringify(
    seen.find(({ turn, prompt }) => turn === 2 && prompt.includes("first round"))?.toolResults,
  );
  expect(shown).toContain("212\u00a0square kilometres");
  // The second round knows what the page really says.
  const verify = seen.find((call) => kindOf(call) === "verify")?.prompt ?? "";
  expect(verify).toContain(
    `NOT PROVEN: ${PAGE} does not say "${sentence(221)}" but "Lake Vessin covers an area of 212`,
  );
  expect(report).toMatchObject({
    verified: true,
    metadata: {
      iterations: 2,
      evidence: {
        proven: 1,
        required: 1,
        claims: [{ text: sentence(212), proof: "quoted", quotes: [{ url: PAGE, found: "typography" }] }],
        sources: [{ url: PAGE, status: "quoted", cited: true, title: "Lake Vessin" }],
        pages: [{ final_url: PAGE, content_type: "text/html", bytes: Buffer.byteLength(HTML) }],
      },
    },
  });
  expect(site.asked.filter((path) => path === "/lake")).toHaveLength(1);
});

/** The same pages, and `heard` when other tools have given the model something. */
function onSpend(pages: Pages, heard: () => void): Pages {
  const access = async (session: PageSession) => {
    const own = await session.access();
    const spend = (characters: number) => {
      own.spend(characters);
      heard();
    };
    return { ...own, spend };
  };
  return {
    async open(scope) {
      const session = await pages.open(scope);
      return { ...session, access: () => access(session) };
    },
  };
}

test("what searches give the model counts in the budget of its reads [evidence/reading-budget]", async () => {
  const { env } = await startWebsite();
  const pages = createPages({ env });
  onTestFinished(() => pages.close());
  let heard = () => {};
  const counted = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const told: string[] = [];
  const { deps } = await realWorld(
    async (call) => {
      if (call.kind === "search")
        return grounded("A lake. ".repeat(20_000), { sources: [{ url: PAGE, title: "lake" }] });
      if (call.kind !== "main") return undefined;
      told.push(JSON.stringify(call.toolResults));
      if (call.turn === 0) return searching("lake");
      // A model takes longer than what a search gave is on its way.
      await counted;
      return call.turn === 1
        ? callTool("mcp_pages_read_page", { url: PAGE })
        : json({ success: true, report: "A lake.", metadata: { sources_visited: [PAGE] } });
    },
    { pages: onSpend(pages, heard) },
  );
  await drain(search({ query: "How large is Lake Vessin?" }, deps));
  expect(told.at(-1)).toMatch(/You have read 160\d{3} of 180000 characters in this run, searches included/);
});

test("searches after the reads get what is left, and all tools together less than the CLI masks [evidence/reading-budget]", async () => {
  const long = Array.from({ length: 4_000 }, (_, n) => `<p>Line ${n} tells of the lake and of its boats.</p>`).join("");
  const { env } = await startWebsite(() => `<!doctype html><html><body>${long}</body></html>`);
  const pages = createPages({ env });
  onTestFinished(() => pages.close());
  let outputs: string[] = [];
  const { deps } = await realWorld(
    (call) => {
      if (call.kind === "search") return grounded("A lake. ".repeat(2_500));
      if (call.kind !== "main") return undefined;
      const parts = (call.body.contents ?? []).flatMap(({ parts = [] }) => parts);
      outputs = parts.flatMap(({ functionResponse: said }) => (said ? [JSON.stringify(said.response)] : []));
      if (call.turn === 0) {
        return Array.from({ length: 11 }, (_, n) => callTool("mcp_pages_read_page", { url: PAGE, offset: n * 14_000 }));
      }
      if (call.turn < 6) return [searching(`lake ${call.turn}`), searching(`boat ${call.turn}`)];
      return json({ success: true, report: "A lake.", metadata: { sources_visited: [PAGE] } });
    },
    { pages },
  );
  await drain(search({ query: "How many boats has the lake?" }, deps));
  expect(outputs).toHaveLength(21);
  expect(outputs.filter((said) => said.includes("masked"))).toEqual([]);
  expect(outputs.join("").length).toBeLessThan(200_000);
  expect(outputs.join("").length).toBeGreaterThan(170_000);
  expect(outputs.filter((said) => said.includes("[Cut: ")).length).toBeGreaterThanOrEqual(8);
});

test("a page is fetched while the CLI prepares the call that reads it, and one that fails is not asked for twice", async () => {
  const site = await startSite(({ url }, response) => {
    response.statusCode = url === "/lake" ? 200 : 404;
    response.setHeader("content-type", "text/html").end(HTML);
  });
  const { env } = await startProxy(site);
  const gone = PAGE.replace("/lake", "/gone");
  const pages = createPages({ env });
  onTestFinished(() => pages.close());
  const told: string[] = [];
  const { deps } = await realWorld(
    (call) => {
      if (call.kind !== "main") return undefined;
      told.push(JSON.stringify(call.toolResults));
      return call.turn === 0
        ? [callTool("mcp_pages_read_page", { url: PAGE }), callTool("mcp_pages_read_page", { url: gone })]
        : json({ success: true, report: "A lake.", metadata: { sources_visited: [PAGE] } });
    },
    { pages },
  );
  await drain(search({ query: "How large is Lake Vessin?" }, deps));
  expect(told.at(-1)).toContain("square kilometres");
  expect(told.at(-1)).toContain("answered 404");
  expect(site.asked.filter((path) => path === "/lake" || path === "/gone").toSorted()).toEqual(["/gone", "/lake"]);
});
