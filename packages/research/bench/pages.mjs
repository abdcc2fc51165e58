// What reading pages costs: `read_page` beside Gemini CLI's `web_fetch` in one run, by the real CLI with a model server and a
// website on loopback, and beside a tool that does nothing. The ways take turns, so that what else the machine does is shared.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { callTool, fetchPage, page, startModelServer, text } from "@x/gemini-runner/testing";
import { createPages } from "@x/research/pages";

const REPEATS = Number(process.argv[2] ?? 7);
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
  return `<!doctype html><html lang="en"><head><title>Lake</title></head><body><h1>Lake</h1>\n${lines.join("")}</body></html>`;
}

const PAGES = new Map(SIZES.map((size) => [`/page-${size}`, htmlOf(size)]));

async function listening(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

const site = createServer((asked, answer) => {
  answer.setHeader("content-type", "text/html; charset=utf-8");
  answer.statusCode = PAGES.has(asked.url) ? 200 : 404;
  answer.end(PAGES.get(asked.url));
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

/** Of each way: what the CLI is granted and the model calls. */
const WAYS = {
  "`web_fetch`": { tools: ["web_fetch"], call: (url) => fetchPage(url) },
  "`read_page`": { tools: [], call: (url) => callTool("mcp_pages_read_page", { url }) },
  "`read_page` with `find`": {
    tools: [],
    call: (url) => callTool("mcp_pages_read_page", { url, find: "lighthouse built" }),
  },
  // Only what the CLI needs for a call of a tool, and the server for saying no.
  "no page: a call of `read_page` without an address": {
    tools: [],
    call: () => callTool("mcp_pages_read_page", { url: "x" }),
  },
};

let toolCall;
const server = await startModelServer({
  scenario: (call) => {
    if (call.kind === "fetch" || call.kind === "fetch-fallback") return page("w ".repeat(WORDS_OF_GOOGLE / 2));
    if (call.kind !== "main") return undefined;
    return call.turn > 0 ? text("Read.") : [toolCall];
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
async function run({ tools, call }, size) {
  toolCall = call(`http://${HOST}/page-${size}`);
  const from = server.requests.length;
  const session = tools.length === 0 ? await pages.open() : undefined;
  const access = await session?.access();
  const grants = { tools, ...(access !== undefined && { mcpServers: access.mcpServers }) };
  let memoryMb = 0;
  let sampler;
  await resultOf(runner.run({ prompt: "Read the page.", model: MODEL, ...grants }), (event) => {
    if (event.type === "tool-call") access?.called(event);
    if (event.type !== "run-start") return;
    sampler = setInterval(() => {
      memoryMb = Math.max(memoryMb, peakMb(event.pid));
    }, 50);
  });
  clearInterval(sampler);
  session?.close();
  const calls = server.requests.slice(from);
  const main = calls.filter(({ kind }) => kind === "main");
  return {
    calls: calls.length,
    bytes: main.at(-1).bytes - main[0].bytes,
    readMs: main.at(-1).at - main[0].at,
    memoryMb,
  };
}

const [load] = loadavg();
const memoryMb = () => Math.round(process.memoryUsage.rss() / 1_000_000);
const before = memoryMb();
const [fetched, read] = Object.values(WAYS);
// The model server has answered before.
await run(fetched, SIZES[0]);
const first = await run(read, SIZES[0]);
const cases = SIZES.flatMap((size) => Object.entries(WAYS).map(([name, way]) => ({ size, name, way, runs: [] })));
for (let i = 0; i < REPEATS; i++) {
  for (const { size, way, runs } of cases) runs.push(await run(way, size));
}
const rows = cases.map(({ size, name, runs }) => {
  const of = (key) => median(runs.map((one) => one[key]));
  const [least, most] = [Math.min, Math.max].map((pick) => Math.round(pick(...runs.map(({ readMs }) => readMs))));
  return `| ${size / 1_000} KB | ${name} | ${of("calls")} | ${(of("bytes") / 1_000).toFixed(1)} KB | ${Math.round(of("readMs"))} ms | ${least} to ${most} ms | ${Math.round(of("memoryMb"))} MB |`;
});
const after = memoryMb();
await runner.close();
await pages.close();
await server.close();
site.close();
proxy.close();
site.closeAllConnections();
proxy.closeAllConnections();
rmSync(folder, { recursive: true, force: true });

console.log(`Medians of ${REPEATS}, taken in turns, Node ${process.version}, ${availableParallelism()} processors, load ${load.toFixed(1)} before. Google's words of a page are taken for ${WORDS_OF_GOOGLE / 1_000} KB; the model
answers at once, and what Google does to fetch the page takes no time here.

| page | read with | model calls | bytes to the model | between the model's turns | least to most | most memory of the CLI |
|---|---|--:|--:|--:|--:|--:|
${rows.join("\n")}

The first page of a process: ${Math.round(first.readMs)} ms.
This process grew from ${before} to ${after} MB while ${cases.length * REPEATS + 2} runs read.`);
