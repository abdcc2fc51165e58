// Accuracy, speed and growth beside the peers: `pnpm bench`, and `pnpm bench --write` to put the tables into the
// README. The peers are installed when the bench runs, at the versions of `peers.mjs`, into the temporary folder: a
// checkout and its tests do not wait for them. Build first.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { jsonrepair } from "jsonrepair";
import heldOut from "../test/corpus/held-out.js";
import { judge } from "../test/corpus/score.js";
import { adversarial } from "./adversarial.mjs";
import { PEERS, TOOLS } from "./peers.mjs";

const { values: flags } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: { write: { type: "boolean", default: false }, only: { type: "string" } },
});
const CASE_LIMIT_MS = 2_000;
const own = new URL("../dist/index.js", import.meta.url).href;
const { extractJson } = await import(own);
const published = readFileSync(new URL("../test/corpus/public.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function installPeers() {
  const key = createHash("sha256").update(JSON.stringify(PEERS)).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `json-repair-bench-${key}`);
  if (existsSync(join(folder, "installed"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PEERS }));
  console.error("installing the peers ...");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  writeFileSync(join(folder, "installed"), "");
  return folder;
}

/** A tool that answers one question after the other, and is started again after one it did not survive. */
class Tool {
  #name;
  #folder;
  #worker;

  constructor(name, folder) {
    this.#name = name;
    this.#folder = folder;
  }

  async #start() {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), {
      workerData: { tool: this.#name, folder: this.#folder, own },
      stdout: true,
      stderr: true,
    });
    await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    this.#worker = worker;
  }

  async ask(question) {
    if (!this.#worker) await this.#start();
    const worker = this.#worker;
    const answer = await new Promise((resolve) => {
      const settle = (value) => {
        clearTimeout(timer);
        worker.off("message", settle).off("messageerror", refuse).off("error", die).off("exit", die);
        resolve(value);
      };
      const refuse = () => settle({ ok: false });
      const die = () => settle({ ok: false, died: true });
      const timer = setTimeout(() => settle({ ok: false, slow: true }), CASE_LIMIT_MS);
      worker.on("message", settle).on("messageerror", refuse).on("error", die).on("exit", die);
      worker.postMessage(question);
    });
    if (answer.slow || answer.died) {
      worker.on("error", () => {});
      this.#worker = undefined;
      await worker.terminate();
    }
    return answer;
  }

  async close() {
    await this.#worker?.terminate();
  }
}

async function accuracy(folder) {
  const rows = [];
  for (const name of Object.keys(TOOLS)) {
    const tool = new Tool(name, folder);
    const count = { published: 0, heldOut: 0, wrong: 0, failed: 0 };
    for (const [set, cases] of [
      ["published", published],
      ["heldOut", heldOut],
    ]) {
      for (const one of cases) {
        const answer = await tool.ask({ input: one.input, hint: one.schemaHint });
        if (answer.slow || answer.died || answer.overflow) {
          count.failed++;
          continue;
        }
        const verdict = judge(one.expect, answer);
        if (verdict === "right") count[set]++;
        else if (verdict === "wrong") count.wrong++;
      }
    }
    await tool.close();
    rows.push([
      name,
      `${count.published}/${published.length}`,
      `${count.heldOut}/${heldOut.length}`,
      count.wrong,
      count.failed,
    ]);
    console.error(rows.at(-1).join("  "));
  }
  return table(["tool", "published cases", "our own cases", "silently wrong", "hung or overflowed"], rows);
}

const rows = Array.from({ length: 7_500 }, (_, n) => ({
  id: n,
  title: `Entry number ${n} of the list`,
  tags: ["alpha", "beta, gamma", "δelta"],
  score: n / 7,
  nested: { ok: n % 2 === 0, none: null },
}));
const large = JSON.stringify({ rows }, null, 0).slice(0);
const report = JSON.stringify({ success: true, report: 'A paragraph with "quotes" and a line end.\n'.repeat(23_000) });

function best(run, times = 7) {
  let ms = Infinity;
  for (let i = 0; i < times; i++) {
    const started = process.hrtime.bigint();
    run();
    ms = Math.min(ms, Number(process.hrtime.bigint() - started) / 1e6);
  }
  return ms;
}

function speed() {
  const strict = best(() => JSON.parse(large));
  const clean = [
    ["the JSON alone", large],
    ["in a fence", `Here it is:\n\n\`\`\`json\n${large}\n\`\`\`\nBye.`],
    ["in prose, with `{query}` and `[1]` before it", `About {query} [1]:\n${large}\nDone.`],
    ["in prose, with `{topic}` after it", `Result:\n${large}\nTell me if {topic} is wrong.`],
    ["one report of 1 MB, fenced", `\`\`\`json\n${report}\n\`\`\``],
  ].map(([name, text]) => {
    const base = name.includes("report") ? best(() => JSON.parse(report)) : strict;
    const ms = best(() => mustBe(extractJson(text)));
    return [name, (text.length / 1e3 / ms).toFixed(0), (base / ms).toFixed(2)];
  });
  const broken = [
    [
      "trailing commas (300 kB)",
      JSON.stringify({ rows: rows.slice(0, 2_000) })
        .replaceAll("}", ",}")
        .replaceAll("]", ",]"),
    ],
    ["raw line ends", report.replaceAll("\\n", "\n")],
    ["single quotes", large.replaceAll('"', "'")],
    [
      "1,800 inner quotes",
      JSON.stringify({ t: "x".repeat(500) }).replace(
        "x".repeat(500),
        'he said "so" and went on with many other words to the end of it. '.repeat(900),
      ),
    ],
    ["cut in the middle", large.slice(0, large.length * 0.9)],
    ["keys without quotes", large.replace(/"(\w+)":/g, "$1:")],
  ].map(([name, text]) => {
    const ours = best(() => mustBe(extractJson(text)), 4);
    const theirs = best(() => JSON.parse(jsonrepair(text)), 4);
    return [
      name,
      (text.length / 1e3 / ours).toFixed(1),
      (text.length / 1e3 / theirs).toFixed(1),
      `${(theirs / ours).toFixed(1)}×`,
    ];
  });
  return [
    `\`JSON.parse\` of the JSON alone: ${(large.length / 1e3 / strict).toFixed(0)} MB/s.`,
    table(["valid, about 1 MB", "MB/s", "of `JSON.parse`"], clean),
    table(["damaged", "MB/s", "jsonrepair alone", "faster"], broken),
  ].join("\n\n");
}

function mustBe(result) {
  if (!result.ok) throw result.error;
  return result;
}

function growth() {
  const results = [];
  for (const [name, make] of Object.entries(adversarial)) {
    for (const schema of [
      undefined,
      { "~standard": { version: 1, vendor: "bench", validate: () => ({ issues: [{ message: "no" }] }) } },
    ]) {
      const [small, big] = [50_000, 400_000].map((length) => {
        const text = make(length);
        let ms = Infinity;
        for (let i = 0; i < 5; i++) {
          const started = process.cpuUsage();
          extractJson(text, schema ? { schema } : {});
          const { user, system } = process.cpuUsage(started);
          ms = Math.min(ms, (user + system) / 1e3);
        }
        return ms;
      });
      results.push({
        name: schema ? `${name}, refused by a schema` : name,
        big,
        exponent: Math.log(big / Math.max(small, 0.5)) / Math.log(8),
      });
    }
  }
  const slowest = results.toSorted((a, b) => b.big - a.big).slice(0, 6);
  const over = results.filter((one) => one.big > 500 || (one.exponent > 1.15 && one.big > 20));
  return [
    `${results.length} runs over ${Object.keys(adversarial).length} adversarial texts of 50,000 and 400,000 characters. CPU time of the slowest at 400,000:`,
    table(
      ["text", "ms", "growth exponent"],
      slowest.map(({ name, big, exponent }) => [name, big.toFixed(0), exponent.toFixed(2)]),
    ),
    over.length === 0
      ? "None takes more than 0.5 s, and none that takes longer than 20 ms grows with an exponent above 1.15."
      : `Above the limits: ${over.map((one) => `${one.name} (${one.big.toFixed(0)} ms, ${one.exponent.toFixed(2)})`).join("; ")}.`,
  ].join("\n\n");
}

function table(head, body) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...body.map(line)].join("\n");
}

const parts = {
  accuracy: async () => accuracy(installPeers()),
  speed: async () => speed(),
  growth: async () => growth(),
};
for (const [name, measure] of Object.entries(parts)) {
  if (flags.only && flags.only !== name) continue;
  const text = await measure();
  console.log(`\n## ${name}\n\n${text}`);
  if (!flags.write) continue;
  const file = new URL("../README.md", import.meta.url);
  const readme = readFileSync(file, "utf8");
  const [from, to] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [start, end] = [readme.indexOf(from), readme.indexOf(to)];
  if (start < 0 || end < 0) throw new Error(`the README has no place for ${name}`);
  writeFileSync(file, `${readme.slice(0, start + from.length)}\n${text}\n${readme.slice(end)}`);
}
