// What reading pages costs: `read_page` beside Gemini CLI's `web_fetch` in one run, by the real CLI with a model server and a
// website on loopback.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { callTool, fetchPage, page, startModelServer, text } from "@x/gemini-runner/testing";
import { createPages } from "@x/research/pages";

const REPEATS = Number(process.argv[2] ?? 3);
const SIZES = [5_000, 50_000, 500_000];
const HOST = "93.184.215.14";
/** What Google's words of a page come to. */
const WORDS_OF_GOOGLE = 4_000;
const MODEL = "gemini-2.5-flash";

const cli = join(
  dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

/** A page of some length; the words that are looked for stand behind its middle. */
function htmlOf(size) {
  const line = (i) => `<p>Line ${i} tells of the lake, of boat ${i * 7} and of its ${(i * 13) % 97} sails.</p>\n`;
  const lines = [];
  for (let length = 0, i = 0; length < size; length += lines.at(-1).length, i++) lines.push(line(i));
  lines.splice(Math.floor(lines.length / 2), 0, "<p>The lighthouse was built in 1894 by Ida Brandt.</p>\n");
  return `<!doctype html><title>Lake</title><h1>Lake</h1>\n${lines.join("")}`;
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

const site = createServer((asked, answer) => {
  answer.setHeader("content-type", "text/html; charset=utf-8");
  answer.end(htmlOf(Number(/\d+$/.exec(asked.url)?.[0] ?? 0)));
});
const sitePort = await listening(site);
const proxy = createServer((asked, answer) => {
  const inside = request({ port: sitePort, path: new URL(asked.url).pathname, headers: asked.headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  inside.end();
});
proxy.on("connect", (_, socket, head) => {
  const inside = connect(sitePort, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    inside.write(head);
    socket.pipe(inside).pipe(socket);
  });
});
const proxyUrl = `http://127.0.0.1:${await listening(proxy)}`;
const proxyEnv = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, NO_PROXY: "127.0.0.1" };

let tool = "read_page";
let url = "";
const server = await startModelServer({
  scenario: (call) => {
    if (call.kind === "fetch" || call.kind === "fetch-fallback") return page("w ".repeat(WORDS_OF_GOOGLE / 2));
    if (call.kind !== "main") return undefined;
    if (call.turn > 0) return text("Read.");
    if (tool === "web_fetch") return [fetchPage(url)];
    return [callTool("mcp_pages_read_page", tool === "find" ? { url, find: "lighthouse built" } : { url })];
  },
});
const env = { PATH: process.env.PATH, HOME: folder, ...server.env, ...proxyEnv };
const runner = createGeminiRunner({ command: cli, env });
const pages = createPages({ env: proxyEnv });

/** The most memory that a process of Linux has had so far. */
function peakMb(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}

/** One run that reads one page. */
async function run() {
  const from = server.requests.length;
  const session = await pages.open();
  const access = await session.access();
  const grants = tool === "web_fetch" ? { tools: ["web_fetch"] } : { tools: [], mcpServers: access.mcpServers };
  let memoryMb = 0;
  let sampler;
  await resultOf(runner.run({ prompt: "Read the page.", model: MODEL, ...grants }), (event) => {
    if (event.type !== "run-start") return;
    sampler = setInterval(() => {
      memoryMb = Math.max(memoryMb, peakMb(event.pid));
    }, 50);
  });
  clearInterval(sampler);
  session.close();
  const calls = server.requests.slice(from);
  const main = calls.filter(({ kind }) => kind === "main");
  return {
    calls: calls.length,
    bytes: main.at(-1).bytes - main[0].bytes,
    readMs: main.at(-1).at - main[0].at,
    memoryMb,
  };
}

const rows = [];
const memoryMb = () => Math.round(process.memoryUsage.rss() / 1_000_000);
const before = memoryMb();
for (const size of SIZES) {
  for (tool of ["web_fetch", "read_page", "find"]) {
    url = `http://${HOST}/page-${size}`;
    const runs = [];
    for (let i = 0; i < REPEATS; i++) runs.push(await run());
    const of = (key) => median(runs.map((one) => one[key]));
    const name = tool === "find" ? "`read_page` with `find`" : `\`${tool}\``;
    rows.push(
      `| ${size / 1_000} KB | ${name} | ${of("calls")} | ${(of("bytes") / 1_000).toFixed(1)} KB | ${Math.round(of("readMs"))} ms | ${Math.round(of("memoryMb"))} MB |`,
    );
  }
}
const after = memoryMb();
await runner.close();
await pages.close();
await server.close();
site.close();
proxy.close();
site.closeAllConnections();
proxy.closeAllConnections();
rmSync(folder, { recursive: true, force: true });

console.log(`Median of ${REPEATS}, Node ${process.version}. Google's words of a page are taken for ${WORDS_OF_GOOGLE / 1_000} KB; the model answers at once.

| page | read with | model calls | bytes to the model | between the model's turns | most memory of the CLI |
|---|---|--:|--:|--:|--:|
${rows.join("\n")}

This process grew from ${before} to ${after} MB while ${rows.length * REPEATS} runs read.`);
