import { EventEmitter, once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { createPages } from "../../src/pages/index.js";
import { UnreadablePageError } from "../../src/pages/text/page-bytes.js";
import { TextMaker } from "../../src/pages/text-maker.js";
import { bundled } from "../real-world.js";
import { HOST, startProxy, startSite } from "./servers.js";

const PAGE = `http://${HOST}/moon`;

async function pagesOf(html: string) {
  const site = await startSite((_, response) => response.setHeader("content-type", "text/html").end(html));
  const { env } = await startProxy(site);
  const pages = createPages({ env });
  onTestFinished(() => pages.close());
  return { pages, site };
}

/** What Gemini CLI would send. */
async function call(access: { mcpServers: Record<string, unknown> }, body: unknown, more: Record<string, string> = {}) {
  const { url, headers } = access.mcpServers["pages"] as { url: string; headers: Record<string, string> };
  const init = { method: "POST", headers: { ...headers, "content-type": "application/json", ...more } };
  const answer = await fetch(url, { ...init, body: typeof body === "string" ? body : JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, json: text === "" ? undefined : JSON.parse(text) };
}

const read = (args: unknown) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "read_page", arguments: args },
});

test("the tool is offered by the messages of MCP, and a page is read through it", async () => {
  const { pages } = await pagesOf("<h1>The Moon</h1><p>It pulls the sea.</p>");
  const session = await pages.open();
  const access = await session.access();
  expect(access.mcpServers["pages"]).toMatchObject({ includeTools: ["read_page"] });
  expect(
    await call(access, { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-03-26" } }),
  ).toMatchObject({
    status: 200,
    json: { id: 1, result: { protocolVersion: "2025-03-26", capabilities: { tools: {} } } },
  });
  expect(await call(access, { jsonrpc: "2.0", method: "notifications/initialized" })).toMatchObject({ status: 202 });
  const { json } = await call(access, { jsonrpc: "2.0", id: 2, method: "tools/list" });
  expect(json.result.tools).toMatchObject([{ name: "read_page", inputSchema: { required: ["url"] } }]);
  const answer = await call(access, read({ url: PAGE }));
  expect(answer.json).toMatchObject({
    id: 7,
    result: { isError: false, content: [{ type: "text", text: expect.stringContaining("It pulls the sea.") }] },
  });
  expect((await access.reads()).pages).toMatchObject(
    [{ page: { final_url: PAGE, title: expect.any(String) } }].map(({ page }) => ({
      page: { final_url: page.final_url },
    })),
  );
  session.close();
});

test("a call of the tool that is told of fetches its page before it comes; that of another tool fetches nothing", async () => {
  const asked = new EventEmitter();
  const site = await startSite((_, response) => {
    response.setHeader("content-type", "text/html").end("<p>Text.</p>");
    asked.emit("page");
  });
  const { env } = await startProxy(site);
  const pages = createPages({ env });
  onTestFinished(() => pages.close());
  const access = await (await pages.open()).access();
  access.called?.({ tool: "web_fetch", urls: [`http://${HOST}/other`] });
  const fetched = once(asked, "page");
  access.called?.({ tool: "mcp_pages_read_page", urls: [PAGE] });
  await fetched;
  await call(access, read({ url: PAGE }));
  expect(site.asked.filter((path) => path !== "/robots.txt")).toEqual(["/moon"]);
});

test("each run reads with a token of its own, and with none that has ended", async () => {
  const { pages, site } = await pagesOf("<p>Text.</p>");
  const session = await pages.open();
  const [one, two] = [await session.access(), await session.access()];
  await call(one, read({ url: PAGE }));
  expect([(await one.reads()).pages.length, (await two.reads()).pages.length]).toEqual([1, 0]);
  one.close();
  expect(await call(one, read({ url: PAGE }))).toMatchObject({ status: 401 });
  expect(await call(two, read({ url: PAGE }))).toMatchObject({ status: 200 });
  const other = await pages.open();
  session.close();
  expect(await call(two, read({ url: PAGE }))).toMatchObject({ status: 401 });
  other.close();
  // Nobody holds the port any more.
  await expect(call(two, read({ url: PAGE }))).rejects.toThrow("fetch failed");
  expect(site.asked.filter((path) => path === "/moon")).toHaveLength(1);
});

test.each([
  ["no JSON", "{", {}, 400],
  ["a long body", JSON.stringify({ x: "a".repeat(100_000) }), {}, 400],
  ["a wrong token", read({ url: PAGE }), { Authorization: "Bearer x" }, 401],
  ["no token", read({ url: PAGE }), { Authorization: "" }, 401],
])("%s is refused", async (_, body, headers, status) => {
  const { pages } = await pagesOf("<p>Text.</p>");
  const access = await (await pages.open()).access();
  const answer = await call(access, body, headers).catch(() => ({ status: 400 }));
  expect(answer.status).toBe(status);
});

test.each([
  [{ jsonrpc: "2.0", id: 1, method: "resources/list" }, { error: { code: -32601 } }],
  [{ jsonrpc: "2.0", id: 1, method: "ping" }, { result: {} }],
  [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "else" } }, { result: { isError: true } }],
  [read({}), { result: { isError: true } }],
  [
    read({ url: "http://127.0.0.1:1/" }),
    { result: { isError: true, content: [{ text: expect.stringContaining("not on the public internet") }] } },
  ],
])("%j", async (body, answer) => {
  const { pages } = await pagesOf("<p>Text.</p>");
  expect((await call(await (await pages.open()).access(), body)).json).toMatchObject(answer);
});

test("another host's name in the request is refused, as of a page that leads a browser here", async () => {
  const { pages } = await pagesOf("<p>Text.</p>");
  const { url, headers } = (await (await pages.open()).access()).mcpServers["pages"] as unknown as {
    url: string;
    headers: Record<string, string>;
  };
  const status = await new Promise((resolve) => {
    const asking = request(url, { method: "POST", headers: { ...headers, host: "evil.example" } }, (answer) =>
      resolve(answer.statusCode),
    );
    asking.end("{}");
  });
  expect(status).toBe(404);
});

/** The thread's program, as it is shipped. */
async function bundledWorker(): Promise<URL> {
  return pathToFileURL(await bundled(fileURLToPath(new URL("../../src/pages/page-worker.ts", import.meta.url))));
}

const page = (html: string) => ({
  url: "https://a.org/",
  bytes: new TextEncoder().encode(html),
  contentType: "text/html",
});

test("the bytes of a page are still there when its text is made", async () => {
  const texts = new TextMaker({ worker: await bundledWorker() });
  onTestFinished(() => texts.close());
  // As they are received: parts of a buffer.
  const { bytes, ...moon } = page(`<p>${"The Moon pulls the sea. ".repeat(1_000)}`);
  const received = Buffer.concat([bytes]).subarray(0, 20_000);
  await texts.make({ ...moon, bytes: received });
  expect(received).toHaveLength(20_000);
});

test("a page that takes too much memory is a failed read, and the next one is read [evidence/hostile-page]", async () => {
  const texts = new TextMaker({ worker: await bundledWorker(), timeoutMs: 60_000, maxMemoryMb: 16 });
  onTestFinished(() => texts.close());
  const heavy = texts.make(page("<p>x".repeat(700_000)));
  const next = texts.make(page("<p>the next page"));
  await expect(heavy).rejects.toThrow("too much memory");
  expect(await next).toMatchObject({ text: "the next page" });
});

test("a page that takes too long is a failed read, and the next one is read [evidence/hostile-page]", async () => {
  const program = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ id, page }) => {
      while (page.bytes.length > 100);
      parentPort.postMessage({ id, text: { text: "read" } });
    });`;
  const worker = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const texts = new TextMaker({ worker, timeoutMs: 3_000 });
  onTestFinished(() => texts.close());
  const endless = texts.make(page("x".repeat(101)));
  const next = texts.make(page("short"));
  await expect(endless).rejects.toBeInstanceOf(UnreadablePageError);
  expect(await next).toEqual({ text: "read" });
});

test("a thread that was prepared in vain ends with the research when it has loaded, one that has read stays", async () => {
  const gates = createServer();
  onTestFinished(() => void gates.close());
  gates.listen(0, "127.0.0.1");
  await once(gates, "listening");
  const program = `
    import { EventEmitter, once } from "node:events";
    import { connect } from "node:net";
    import { parentPort, threadId } from "node:worker_threads";
    const gate = connect(${(gates.address() as AddressInfo).port}, "127.0.0.1");
    await once(gate, "data");
    gate.unref();
    parentPort.on("message", (asked) => {
      if (asked === "leave") process.exit();
      parentPort.postMessage({ id: asked.id, text: { text: String(threadId) } });
    });`;
  const texts = new TextMaker({ worker: new URL(`data:text/javascript,${encodeURIComponent(program)}`) });
  onTestFinished(() => texts.close());
  texts.prepare();
  const [loading] = (await once(gates, "connection")) as [Socket];
  loading.resume();
  texts.rest();
  const reading = texts.make(page("short"));
  const [other] = (await once(gates, "connection")) as [Socket];
  expect(loading.readableEnded || loading.destroyed).toBe(false);
  const gone = once(loading, "close");
  for (const gate of [loading, other]) gate.write("go on");
  await gone;
  const first = await reading;
  texts.rest();
  expect(await texts.make(page("short"))).toEqual(first);
});

test.runIf(process.platform === "linux")("no file stays open of threads that are prepared in vain", async () => {
  const library = await bundledWorker();
  const program = `
    import { parentPort } from "node:worker_threads";
    import ${JSON.stringify(library)};
    parentPort.postMessage("loaded");`;
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === fileURLToPath(library);
      } catch {
        return false; // Closed since.
      }
    });
  const texts = new TextMaker({ worker: new URL(`data:text/javascript,${encodeURIComponent(program)}`) });
  onTestFinished(() => texts.close());
  // The file of a thread is open for some milliseconds, which can be missed.
  let endedWhileOpen = 0;
  for (let threads = 0; endedWhileOpen < 6 && threads < 100; threads++) {
    const started = once(process, "worker");
    texts.prepare();
    const [thread] = (await started) as [Worker];
    const gone = once(thread, "exit");
    let isLoaded = false;
    thread.once("message", () => {
      isLoaded = true;
    });
    while (!isLoaded && openFiles().length === 0) await nextTurn();
    if (!isLoaded) endedWhileOpen++;
    texts.rest();
    await gone;
    expect(openFiles()).toEqual([]);
  }
  expect(endedWhileOpen).toBe(6);
});
