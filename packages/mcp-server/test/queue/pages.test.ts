import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { counted, Metrics } from "../../src/queue/metrics.js";
import { pagesOf, type Viewer } from "../../src/queue/pages.js";
import type { Problem } from "../../src/queue/readiness.js";
import { deepReport } from "../support/fake-research.js";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const COUNTS = [
  { owner: "tenant:ann", waiting: 3, running: 1 },
  { owner: "tenant:bob", waiting: 0, running: 2 },
];

/** Gets a page as somebody sees it. */
async function get(path: string, viewer: Viewer, authorization = "", problems: Problem[] = []) {
  const metrics = new Metrics();
  const ask = counted(
    async function* () {
      yield { type: "step", step: { type: "run-start" } } as never;
      return deepReport();
    },
    metrics,
    "tenant:ann",
  );
  for await (const _ of ask("deep_search", {})) await Promise.resolve();
  for (const owner of ["tenant:ann", "tenant:bob", "tenant:bob"]) metrics.ended(owner, "completed");
  const counts = async (owner?: string) => COUNTS.filter((count) => owner === undefined || count.owner === owner);
  const pages = pagesOf({ metrics, problems: async () => problems, counts, token: "watcher" });
  const server = createServer((request, response) => void pages[request.url ?? ""]?.(request, response, viewer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  closing.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const answer = await fetch(url, { headers: { authorization } });
  return { status: answer.status, text: await answer.text() };
}

const LINE = /^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{[^}]+\})? [\d.e+-]+)$/;

test("whoever watches the server sees all numbers, as Prometheus reads them", async () => {
  const { status, text } = await get("/metrics", { all: false }, "Bearer watcher");
  expect(status).toBe(200);
  for (const line of text.trimEnd().split("\n")) expect(line).toMatch(LINE);
  expect(text).toContain('mcp_server_jobs{state="waiting",tenant="tenant:ann"} 3\n');
  expect(text).toContain('mcp_server_jobs{state="running",tenant="tenant:bob"} 2\n');
  expect(text).toContain('mcp_server_researches_total{tool="deep_search",outcome="ok",tenant="tenant:ann"} 1\n');
  expect(text).toContain('mcp_server_jobs_ended_total{state="completed",tenant="tenant:bob"} 2\n');
  expect(text).toContain("mcp_server_cli_runs_total 1\n");
  expect(text).toContain("mcp_server_researches_running 0\n");
});

test("a tenant sees the tenant's own jobs alone, and nobody else sees any", async () => {
  const own = await get("/metrics", { all: false, owner: "tenant:bob" });
  expect(own.text).toContain('tenant="tenant:bob"');
  expect(own.text).toContain('mcp_server_jobs_ended_total{state="completed",tenant="tenant:bob"} 2\n');
  expect(own.text).not.toMatch(/ann|researches|cli_runs/);
  expect((await get("/metrics", { all: false })).status).toBe(401);
  for (const viewer of [{ all: false }, { all: false, isOpen: true }]) {
    expect((await get("/metrics", viewer, "Bearer wrong")).status).toBe(401);
  }
});

test("ready says no with the reason, and names machines to those alone who watch the server", async () => {
  expect(await get("/ready", { all: false })).toEqual({ status: 200, text: '{"status":"ready"}' });
  const text = "Gemini CLI 0.1.0 (/srv/tools/gemini) is too old";
  const problems = [{ short: "The Gemini CLI is too old", text }];
  const open = await get("/ready", { all: false }, "", problems);
  expect(open).toEqual({ status: 503, text: '{"status":"not ready","problems":["The Gemini CLI is too old"]}' });
  expect((await get("/ready", { all: true }, "", problems)).text).toContain(text);
  expect((await get("/ready", { all: false }, "Bearer watcher", problems)).text).toContain(text);
});

test("however many tenants there are, those after the first thousand are counted as one", () => {
  const metrics = new Metrics();
  const shown = Array.from({ length: 1_200 }, (_, n) => metrics.tenant(`tenant:${n}`));
  expect(new Set(shown).size).toBe(1_001);
  expect([metrics.tenant("tenant:0"), metrics.tenant("tenant:1199")]).toEqual(["tenant:0", "others"]);
});
