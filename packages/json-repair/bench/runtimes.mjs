// The built package in Bun, Deno and Chromium: each gives for every case of the corpora what Node gives. `pnpm runtimes`; Bun and
// Deno come from npm at these versions, Chromium is the one that is installed (`CHROMIUM`, default `chromium`).
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { extractJson } from "@x/json-repair";

const BUN = "1.4.5";
const DENO = "2.9.6";
const LONGEST = 20_000;
const LIMIT_MS = 120_000;
const run = promisify(execFile);

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const corpora = ["public.jsonl", "varied.jsonl", "blind-1.jsonl"];
const inputs = corpora
  .flatMap((name) =>
    readFileSync(new URL(`../test/corpus/${name}`, import.meta.url), "utf8")
      .trim()
      .split("\n"),
  )
  .map((line) => JSON.parse(line).input)
  .filter((input) => input.length <= LONGEST);
const answerOf = (result) => JSON.stringify(result.ok ? result.value : null);
const cases = inputs.map((input) => ({ input, value: answerOf(extractJson(input)) }));

// What every runtime runs: one text, which is a module and part of a page.
const PROGRAM = `import { createPartialParser, extractJson } from "./index.js";
import { cases } from "./cases.js";
const answerOf = (result) => JSON.stringify(result.ok ? result.value : null);
let differ = 0;
for (const { input, value } of cases) {
  const parser = createPartialParser();
  for (let at = 0; at < input.length; at += 7) parser.push(input.slice(at, at + 7));
  if (answerOf(extractJson(input)) !== value || answerOf(parser.end()) !== value) differ++;
}
const said = cases.length + " cases, " + differ + " differ";
if (globalThis.document) document.body.textContent = said;
else console.log(said);
`;
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8" };

async function inChromium(folder) {
  const server = createServer(({ url }, response) => {
    const name = readdirSync(folder).find((one) => url === `/${one}`);
    response.statusCode = name ? 200 : 404;
    if (name) response.setHeader("content-type", TYPES[extname(name)] ?? "text/plain");
    response.end(name && readFileSync(join(folder, name)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const page = `http://127.0.0.1:${server.address().port}/page.html`;
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom", page];
    return (await run(process.env.CHROMIUM ?? "chromium", flags, { timeout: LIMIT_MS, maxBuffer: 1e8 })).stdout;
  } finally {
    server.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "json-repair-runtimes-"));
try {
  for (const name of readdirSync(dist).filter((one) => one.endsWith(".js")))
    writeFileSync(join(folder, name), readFileSync(join(dist, name)));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "cases.js"), `export const cases = ${JSON.stringify(cases)};\n`);
  writeFileSync(join(folder, "program.js"), PROGRAM);
  writeFileSync(join(folder, "page.html"), '<body><script type="module" src="program.js"></script></body>');
  const npx = async (name, version, args) =>
    (
      await run("npx", ["--yes", `--package=${name}@${version}`, "--", name, ...args], {
        cwd: folder,
        timeout: LIMIT_MS,
      })
    ).stdout;
  const runtimes = {
    [`Bun ${BUN}`]: () => npx("bun", BUN, ["program.js"]),
    [`Deno ${DENO}`]: () => npx("deno", DENO, ["run", "--allow-read", "program.js"]),
    Chromium: () => inChromium(folder),
  };
  for (const [name, start] of Object.entries(runtimes)) {
    const said = /\d+ cases, (\d+) differ/.exec(await start());
    console.log(`${name}: ${said?.[0] ?? "no answer"}`);
    if (said?.[1] !== "0") process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
