import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { ResearchEvent } from "@x/research";
import { expect, test, vi } from "vitest";
import { sampleReport } from "../report/html/sample-report.js";
import { opened } from "./opened.js";

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One request; `fetch` would not let a test say which host or origin it names. */
function asked(url: string, { method = "GET", headers = {}, body }: Asked = {}) {
  return new Promise<{ status: number; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A browser that was let in. */
async function admitted() {
  const web = await opened();
  const { headers } = await asked(web.address);
  const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
  const get = (path: string, more: Record<string, string> = {}) =>
    asked(web.origin + path, { headers: { cookie, ...more } });
  const secret = /name="secret" value="([^"]+)"/.exec((await get("/")).text)?.[1] ?? "";
  const post = (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
    asked(web.origin + path, {
      method: "POST",
      headers: { cookie, origin: web.origin, "content-type": "application/x-www-form-urlencoded", ...more },
      body: new URLSearchParams({ secret, ...fields }).toString(),
    });
  return { ...web, cookie, get, post, secret };
}

test("the address opens once, in one browser, by a cookie that no script and no other site gets", async () => {
  const { address, origin } = await opened();
  expect((await asked(`${origin}/`)).status).toBe(403);
  expect((await asked(`${origin}/?token=wrong`)).status).toBe(403);
  const first = await asked(address);
  expect([first.status, first.headers.location]).toEqual([303, "/"]);
  expect(String(first.headers["set-cookie"])).toMatch(/^x-research-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
  const second = await asked(address);
  expect([second.status, second.text]).toEqual([403, expect.stringContaining("Its address opens once")]);
});

test.each([
  ["another name for this machine", { host: "evil.example" }],
  ["a link on another site", { "sec-fetch-site": "cross-site" }],
  ["another port's page", { "sec-fetch-site": "same-site" }],
])("%s shows nothing", async (_, headers) => {
  const { get } = await admitted();
  expect((await get("/", headers)).status).toBe(403);
});

test.each([
  ["another site", { origin: "https://evil.example" }, {}],
  ["no origin", { origin: "null" }, {}],
  ["no secret", {}, { secret: "guessed" }],
  ["another form", { "content-type": "text/plain" }, {}],
])("a form from %s does nothing", async (_, headers, fields) => {
  const { post, research } = await admitted();
  expect((await post("/start", { query: "Is it so?", tool: "search", ...fields }, headers)).status).toBe(403);
  expect(research.asked).toEqual([]);
});

test("pages allow their own style, script and forms, and nothing from elsewhere", async () => {
  const { get } = await admitted();
  const { headers, text } = await get("/");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers["cache-control"]).toBe("no-store");
  expect(text).not.toMatch(/ (?:src|href)="https?:| on\w+=/);
});

test("ask, follow, read, delete", async () => {
  const { get, post, research, jobs, forgotten, origin, cookie } = await admitted();
  const started = await post("/start", { query: "Why <b>blue</b>?", tool: "deep_search", recency: "week" });
  const path = String(started.headers.location);
  expect([started.status, path]).toEqual([303, expect.stringMatching(/^\/research\/deep-search-\w+$/)]);
  await research.hasAsked(1);
  expect(research.asked[0]).toMatchObject({ request: { query: "Why <b>blue</b>?", filters: { recency: "week" } } });
  expect((await get("/?state=running")).text).toContain("Why &lt;b&gt;blue&lt;/b&gt;?");

  const events = httpRequest(`${origin}/events?of=${path.split("/").at(-1)}`, { headers: { cookie } });
  let told = "";
  const isOver = new Promise((resolve) => {
    events.on("response", (response) =>
      response
        .setEncoding("utf8")
        .on("data", (part) => {
          told += part;
        })
        .on("end", resolve),
    );
  });
  events.end();
  await expect.poll(() => told).toContain("event: change");
  research.tell({ type: "round-start", round: 2, of: 5 });
  await expect.poll(() => told, { timeout: 10_000 }).toContain("Round 2 of 5");
  research.finish(sampleReport);
  await isOver;
  expect(told).toContain("event: end");

  const { text } = await get(path);
  expect(text).toContain('<section id="evidence"');
  expect(text).toContain('<a href="/">All researches</a>');
  // What follows begins with what this one found.
  const id = path.split("/").at(-1) ?? "";
  expect((await get(`/?follow=${id}`)).text).toContain("Ask on after: Why &lt;b&gt;blue&lt;/b&gt;?");
  const next = await post("/start", { query: "And at night?", tool: "search", follow: id });
  await research.hasAsked(2);
  expect(research.asked[1]).toMatchObject({
    tool: "search",
    request: { query: "And at night?", followUpOf: "research-1" },
  });
  await post(`${next.headers.location}/cancel`, {});
  await post(`${next.headers.location}/delete`, {});
  // The one to follow was deleted in another tab.
  const late = await post("/start", { query: "And at noon?", tool: "search", follow: "nothing" });
  expect([late.status, late.text]).toEqual([404, expect.stringContaining("And at noon?</textarea>")]);
  expect(late.text).toContain("not there any more");

  expect((await get(`${path}/delete`)).text).toContain("Keep it");
  expect((await post(`${path}/delete`, {})).headers.location).toBe("/");
  expect(await jobs.list(10)).toEqual([]);
  expect(forgotten).toEqual([next.headers.location?.split("/").at(-1), id]);
  expect((await get(path)).status).toBe(404);
});

test("a question that cannot be asked stays in its form, with what was chosen", async () => {
  const { get, post, research } = await admitted();
  const { headers } = await post("/start", { query: "Is it so?", tool: "deep_search" });
  await research.hasAsked(1);
  const follow = String(headers.location).split("/").at(-1) ?? "";
  const asked = { query: "\nAnd <why>?", tool: "search", recency: "week", follow };
  const { status, text } = await post("/start", asked);
  expect(status).toBe(400);
  expect(text).toContain("has not ended yet");
  expect(text).toContain("&lt;why&gt;?</textarea>");
  expect(text).toContain('<option value="search" selected>');
  expect(text).toContain('<option value="week" selected>');
  expect(text).toContain("Ask on after: Is it so?");
  expect(text).toContain(`name="follow" value="${follow}"`);
  research.finish(sampleReport);
  await vi.waitFor(async () => expect((await post("/start", asked)).status).toBe(303));
  // Asked on as the earlier one was.
  expect((await get(`/?follow=${follow}`)).text).toContain('<option value="deep_search" selected>');
});

test.each([
  ["search", true],
  ["deep_research", false],
] as const)("asking on from a report of %s is offered: %s", async (tool, isOffered) => {
  const { get, research, jobs } = await admitted();
  const { job } = await jobs.start(tool, { query: "Is it so?", topic: "Is it so?" });
  await research.hasAsked(1);
  research.finish(sampleReport);
  await job.ended();
  expect((await get(`/research/${job.record.id}`)).text.includes("Ask on")).toBe(isOffered);
});

test("one that is stopped says so, and what its button does", async () => {
  const { get, post, research } = await admitted();
  const path = String((await post("/start", { query: "Why?", tool: "search" })).headers.location);
  await research.hasAsked(1);
  expect((await post(`${path}/cancel`, {})).status).toBe(303);
  const { text } = await get(path);
  expect(text).toContain(">cancelled<");
  expect(text).toContain("<button>Ask it again</button></form><p>It begins anew: no finished round is kept.</p>");
  expect(text).not.toContain("starts anew");
  await post(`${path}/resume`, {});
  await research.hasAsked(2);
  expect((await get(path)).text).toContain("running");
});

test("one that runs shows its time, the rounds that are over, and what came of each step of the present one", async () => {
  const { get, post, research } = await admitted();
  const path = String((await post("/start", { query: "Why?", tool: "deep_search" })).headers.location);
  await research.hasAsked(1);
  const step = (round: number, id: string, { query, ok }: { query?: string; ok?: boolean }): ResearchEvent => ({
    ...{ type: "step", round },
    step:
      ok === undefined
        ? { type: "tool-call", id, tool: "google_web_search", ...(query !== undefined && { query }) }
        : { type: "tool-result", id, tool: "google_web_search", ok },
  });
  research.tell(
    { type: "round-start", round: 1, of: 5 },
    ...[step(1, "a", { query: "blue" }), step(1, "a", { ok: true })],
    { type: "round-end", round: 1, verified: false, result: "It scatters." },
    { type: "round-start", round: 2, of: 5 },
    { type: "round-failed", round: 2, code: "EXECUTION_ERROR", reason: "It took <too> long." },
    { type: "round-start", round: 3, of: 5 },
    ...[step(3, "b", { query: "why <b>" }), step(3, "b", { ok: false })],
    ...[step(3, "c", { query: "red" }), step(3, "c", { ok: true }), step(3, "d", { query: "light" })],
  );
  await expect.poll(async () => (await get(path)).text).toContain("Round 3 of 5: searching<");
  const { text } = await get(path);
  expect(text).toMatch(/<span id="time">0:0\d<\/span> since it began/);
  const lines = [
    ...text.matchAll(/<li>.*?aria-label="(\w+)">(.).*?<b>(.*?)<\/b> <span dir="auto">(.*?)<\/span><\/li>/g),
  ];
  expect(lines.map(([, ...parts]) => parts.join(" ").replace(/\d+ m?s$/, "0 s"))).toEqual([
    "done ✓ Round 1 not verified · 1 search · 0 s",
    "failed ✗ Round 2 It took &lt;too&gt; long. · 0 s",
    "failed ✗ search why &lt;b&gt;",
    "done ✓ search red",
    "running › search light",
  ]);
  // One that is over shows all that was searched instead.
  await post(`${path}/cancel`, {});
  const stopped = (await get(path)).text;
  expect(stopped).toContain("<b>Round 1</b>");
  expect(stopped).toContain("Searched for (4)");
  expect(stopped).not.toMatch(/since it began|›/);
});

test("one that is stopped after a round goes on behind it", async () => {
  const { get, post, research } = await admitted();
  const path = String((await post("/start", { query: "Why?", tool: "deep_search" })).headers.location);
  await research.hasAsked(1);
  research.tell(
    { type: "round-start", round: 1, of: 5 },
    { type: "round-end", round: 1, verified: false, result: "It scatters." },
  );
  await expect.poll(async () => (await get(path)).text).toContain("It scatters.");
  await post(`${path}/cancel`, {});
  expect((await get(path)).text).toContain(
    "<button>Go on after round 1</button></form><p>What the finished rounds have found is kept.</p>",
  );
  await post(`${path}/resume`, {});
  await research.hasAsked(2);
  expect(research.asked[1]).toMatchObject({ resume: "research-1" });
});

test("one that runs is stopped before it is deleted, and that is said before", async () => {
  const { get, post, research, jobs, forgotten } = await admitted();
  const path = String((await post("/start", { query: "Why?", tool: "search" })).headers.location);
  await research.hasAsked(1);
  expect((await get(path)).text).toContain(`<a href="${path}/delete">Delete it</a>`);
  const { text } = await get(`${path}/delete`);
  expect(text).toContain("It still runs, and is stopped first.");
  expect(text).toContain("Stop and delete it</button>");
  const { status, headers } = await post(`${path}/delete`, {});
  expect([status, headers.location]).toEqual([303, "/"]);
  expect(research.running).toBe(0);
  expect(await jobs.list(10)).toEqual([]);
  expect(forgotten).toHaveLength(1);
});

test("why one failed is told with links that can be followed", async () => {
  const { get, post, research } = await admitted();
  const path = String((await post("/start", { query: "Why?", tool: "search" })).headers.location);
  await research.hasAsked(1);
  research.fail(Object.assign(new Error("Nobody is signed in <here>"), { code: "AUTH_REQUIRED" }));
  await expect.poll(async () => (await get(path)).text).toContain(">AUTH_REQUIRED<");
  const { text } = await get(path);
  expect(text).toContain("Nobody is signed in &lt;here&gt;");
  expect(text).toMatch(
    /<a href="https:\/\/aistudio\.google\.com\/apikey"[^>]*>https:\/\/aistudio\.google\.com\/apikey<\/a>/,
  );
});

test("the list tells what follows another research, and what renews one", async () => {
  const { get, jobs, research } = await admitted();
  const earlier = { job: "search-2f37a4r32z", research: "research-0" };
  await jobs.start("search", { query: "And at night?", followUpOf: earlier });
  await jobs.start("search", { query: "Why is it blue?", refreshOf: earlier });
  await jobs.start("search", { query: "Another?" });
  await research.hasAsked(1);
  const { text } = await get("/");
  const shown = (sign: string, question: string) =>
    expect.stringMatching(new RegExp(`<span role="img" aria-label="[^"]+"[^>]*>${sign}</span> ${question}<`));
  expect(text).toEqual(shown("↳", "And at night\\?"));
  expect(text).toEqual(shown("↻", "Why is it blue\\?"));
  expect(text).toMatch(/dir="auto">Another\?</);
});

test("an empty list says why it is empty", async () => {
  const { get, post, research } = await admitted();
  expect((await get("/")).text).toContain("No research is kept yet.");
  await post("/start", { query: "Why?", tool: "search" });
  await research.hasAsked(1);
  const { text } = await get("/?q=nothing+of+it");
  expect(text).toContain('No research fits. <a href="/">Show all of them</a>');
  expect(text).not.toContain('<ul class="jobs">');
});

test("the list is searched, filtered by state and day, and paged", async () => {
  const { get, post, research } = await admitted();
  for (let count = 1; count <= 32; count++) {
    await post("/start", { query: `Question ${count}?`, tool: "search" });
    await research.hasAsked(1);
  }
  const rows = (text: string) => text.match(/<li><a id=/g)?.length ?? 0;
  expect(rows((await get("/")).text)).toBe(30);
  expect(rows((await get("/?page=2")).text)).toBe(2);
  expect(rows((await get("/?page=999")).text)).toBe(2);
  expect(rows((await get("/?q=question+31")).text)).toBe(1);
  expect(rows((await get("/?since=2999-01-01")).text)).toBe(0);
  expect(rows((await get("/?state=completed")).text)).toBe(0);
  // What makes no sense is as if it was not there.
  expect(rows((await get("/?state=%3Cscript%3E&since=soon&page=-1")).text)).toBe(30);
});

test.each([
  ["an empty question", { query: "  " }, 400],
  ["a question of a million letters", { query: "x".repeat(1_000_000) }, 403],
])("bad input: %s", async (_, fields, status) => {
  const { post, research } = await admitted();
  const { status: given, text } = await post("/start", { tool: "search", ...(fields as { query: string }) });
  expect(given).toBe(status);
  expect(text).toMatch(/<p class="note" role="alert">|<h1/);
  expect(research.asked).toEqual([]);
});

test.each([
  ["/research/search-0000000000", "There is no such research"],
  ["/research/..%2f..%2fetc%2fpasswd", "There is no such page"],
  ["/nowhere", "There is no such page"],
  ["/research/x/y/z", "There is no such page"],
])("%s is not there", async (path, title) => {
  const { get } = await admitted();
  const { status, text } = await get(path);
  expect(status).toBe(404);
  expect(text).toContain(`>${title}</h1>`);
  expect(text).toContain('<a href="/">All researches</a>');
});

test("an address of another host is that of the list", async () => {
  const { get } = await admitted();
  expect((await get("//evil.example/")).status).toBe(200);
});

test("the port closes at the end, whoever still listens", async () => {
  const { server, origin, cookie } = await admitted();
  const events = httpRequest(`${origin}/events`, { headers: { cookie } });
  const closed = new Promise((resolve) => {
    events.on("response", (response) => response.on("close", resolve).resume());
    events.on("error", resolve);
  });
  events.end();
  await new Promise((resolve) => events.once("response", resolve));
  await server.close();
  await closed;
  await expect(asked(`${origin}/`)).rejects.toThrow("ECONNREFUSED");
});
