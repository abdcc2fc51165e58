// Every regular expression of the packages' sources through recheck: none may take exponential time, and none polynomial
// time unless what it is given is bounded: visibly at the call (`text.slice(0, 200)`), or by a reason that stands in
// `regexes.json`. What recheck says of each stands in `regexes-verdicts.jsonl`, which a run brings up to date: it takes up to
// seconds for one, and tries some at random, so that a second run, or a busy machine, may say another thing.
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { readExpressions } from "./regexes-read.mjs";

/** What one match may cost, in steps: the bound to the power of the degree. */
const MAX_STEPS = 1_000_000;
const CHECK_MS = 20_000;
const VERDICTS = new URL("regexes-verdicts.jsonl", import.meta.url);

if (isMainThread) process.exitCode = await main();
else await check();

/** Answers each expression that it is sent with what recheck says. */
async function check() {
  process.env.RECHECK_SYNC_BACKEND = "pure";
  const { checkSync } = await import("recheck");
  parentPort.on("message", ({ source, flags }) => {
    const { status, complexity, error } = checkSync(source, flags, { timeout: CHECK_MS, attackTimeout: 500 });
    parentPort.postMessage({ status, type: complexity?.type, degree: complexity?.degree, error: error?.kind });
  });
}

async function main() {
  const root = new URL("../", import.meta.url);
  const { bounded, toMend } = JSON.parse(readFileSync(new URL("regexes.json", import.meta.url), "utf8"));
  const entries = [...bounded, ...toMend];
  const found = sources(root).flatMap((file) => readExpressions(root, file));
  const verdicts = await verdictsOf(root, found);
  const named = (entry, one) => entry.file === one.file && entry.pattern === one.shown;
  const faults = [];
  for (const one of found) {
    const fault = faultOf(one, verdicts.get(keyOf(one)));
    if (fault === undefined || entries.some((entry) => named(entry, one))) continue;
    faults.push(`${one.file}:${one.line}: ${fault}: ${one.shown}`);
  }
  for (const entry of entries) {
    if (!found.some((one) => named(entry, one)))
      faults.push(
        `scripts/regexes.json: not in the sources any more (if it was changed and its reason still holds, put the new pattern there): ${entry.file}: ${entry.pattern}`,
      );
  }
  for (const fault of faults) console.error(fault);
  console.log(
    `${found.length} regular expressions, ${faults.length} at fault, ${toMend.length} known and to be mended`,
  );
  return faults.length > 0 ? 1 : 0;
}

function sources(root) {
  return readdirSync(new URL("packages/", root)).flatMap((name) => {
    try {
      const files = readdirSync(new URL(`packages/${name}/src/`, root), { recursive: true });
      const own = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".generated.ts"));
      return own.map((file) => `packages/${name}/src/${file.replaceAll("\\", "/")}`);
    } catch (error) {
      if (error.code === "ENOENT") return [];
      throw error;
    }
  });
}

/** What is wrong with an expression, if anything is. */
function faultOf({ source, bound }, verdict) {
  if (source === undefined) return "made when it runs, so that it cannot be checked";
  const { status, type, degree, error } = verdict;
  if (status === "safe") return undefined;
  if (type === "exponential") return "exponential";
  const what = status === "unknown" ? `recheck cannot say (${error})` : `polynomial of degree ${degree}`;
  if (bound === undefined) return `${what}, and its input is not visibly bounded`;
  return bound ** (degree ?? 2) > MAX_STEPS ? `${what}, and ${bound} characters are too many for it` : undefined;
}

function keyOf({ source, flags }) {
  return `/${source}/${flags}`;
}

/** What recheck says of each; asked once for all that are alike, and never again while neither it nor recheck changes. */
async function verdictsOf(root, found) {
  const { version } = JSON.parse(readFileSync(new URL("node_modules/recheck/package.json", root), "utf8"));
  const text = readFileSync(VERDICTS, "utf8").replaceAll("\r\n", "\n");
  const kept = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const known = new Map(kept.filter((one) => one.recheck === version).map((one) => [one.expression, one.verdict]));
  const verdicts = new Map();
  const open = [];
  for (const one of found) {
    const key = keyOf(one);
    if (one.source === undefined || verdicts.has(key)) continue;
    verdicts.set(key, known.get(key));
    if (!known.has(key)) open.push(one);
  }
  const threads = Math.min(open.length, availableParallelism());
  await Promise.all(Array.from({ length: threads }, () => askAll(open, verdicts)));
  // A line each, so that two branches with new expressions can be merged.
  const sorted = [...verdicts].sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = sorted.map(([expression, verdict]) => JSON.stringify({ recheck: version, expression, verdict }));
  if (`${lines.join("\n")}\n` !== text) writeFileSync(VERDICTS, `${lines.join("\n")}\n`);
  return verdicts;
}

async function askAll(open, verdicts) {
  const worker = new Worker(new URL(import.meta.url));
  try {
    for (let one = open.pop(); one; one = open.pop()) {
      worker.postMessage({ source: one.source, flags: one.flags });
      const [verdict] = await once(worker, "message");
      verdicts.set(keyOf(one), verdict);
    }
  } finally {
    await worker.terminate();
  }
}
