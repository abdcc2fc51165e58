// A page of the demo's kind whose claims are proven, and not: one search with the real Gemini CLI, a local model server, and a
// website that a proxy on loopback answers for.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../packages/mcp-server/dist/bin.js", import.meta.url));
const CLI = createRequire(SERVER).resolve("@google/gemini-cli/bundle/gemini.js");
const TESTING = new URL("../packages/gemini-runner/dist/testing/index.js", import.meta.url);

const LAKE = "http://lakes.example.com/vessin";
const HTML = `<!doctype html><title>Lake Vessin</title><h1>Lake Vessin</h1>
<p>Lake Vessin covers an area of 212&nbsp;square kilometres. Its greatest depth, 94 metres, was first measured in 1894 by
Ida Brandt. The lake does not freeze in most winters.</p>`;
const CLAIMS = [
  ["Lake Vessin covers 212 square kilometres.", "Lake Vessin covers an area of 212 square kilometres."],
  [
    "Ida Brandt measured its depth of 49 metres in 1894.",
    "Its greatest depth, 49 metres, was first measured in 1894 by Ida Brandt.",
  ],
  ["The lake freezes in most winters.", "The lake freezes in most winters, and people walk to the island."],
];

/** Searches, and writes the page of its report into a file. */
export async function writeEvidencePage(file) {
  const { callTool, grounded, json, search, startModelServer } = await import(TESTING.href);
  const home = await mkdtemp(join(tmpdir(), "evidence-"));
  const site = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(HTML));
  const proxy = createServer((asked, answer) => {
    request({ port: site.address().port, path: new URL(asked.url).pathname }, (got) => got.pipe(answer)).end();
  });
  for (const server of [site, proxy]) await once(server.listen(0, "127.0.0.1"), "listening");
  const model = await startModelServer({
    scenario: (call) => {
      if (call.kind === "search") return grounded("A lake.", { sources: [{ url: LAKE, title: "lakes.example.com" }] });
      if (call.kind !== "main") return undefined;
      const claims = CLAIMS.map(([text, quote]) => ({ text, status: "supported", sources: [{ url: LAKE, quote }] }));
      const report = `Lake Vessin covers 212 km² and is 49 m deep [1]. It freezes in most winters [1].\n\n## Sources\n\n1. Lake Vessin, ${LAKE}`;
      const answer = json({ success: true, report, metadata: { sources_visited: [LAKE] }, claims });
      return [search("Lake Vessin area depth"), callTool("mcp_pages_read_page", { url: LAKE })][call.turn] ?? answer;
    },
  });
  try {
    const url = `http://127.0.0.1:${proxy.address().port}`;
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, GEMINI_CLI_HOME: home, GEMINI_SEARCH_CONFIG_DIR: join(home, "config") },
      ...{ GEMINI_CLI_PATH: CLI, HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: "127.0.0.1" },
      ...model.env,
    };
    const args = [SERVER, "search", "How large and how deep is Lake Vessin, and does it freeze?", "--html", file];
    const run = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(run, "exit");
    if (code !== 0) throw new Error(`The search ended with ${code}`);
  } finally {
    await model.close();
    for (const server of [site, proxy]) {
      server.close();
      server.closeAllConnections();
    }
    await rm(home, { recursive: true, force: true });
  }
}
