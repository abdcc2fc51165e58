// One tool in a thread of its own, so that what hangs or overflows can be stopped.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { HINTS } from "../test/corpus/score.js";
import { adversarial, NOTHING_FITS } from "./adversarial.mjs";
import { JSON_SCHEMA_TOOLS, TOOLS } from "./peers.mjs";

const { tool, folder, own } = workerData;
const require = createRequire(pathToFileURL(`${folder}/package.json`));
const run = await { ...TOOLS, ...JSON_SCHEMA_TOOLS }[tool]({
  own,
  load: (name) => import(pathToFileURL(require.resolve(name)).href),
});

/** A Standard Schema of a JSON Schema. */
async function standardOf(schema) {
  const { z } = await import(pathToFileURL(require.resolve("zod")).href);
  return z.fromJSONSchema(schema);
}

async function answer({ input, hint, schema }) {
  try {
    const standard = schema ? await standardOf(schema) : hint && HINTS[hint];
    return { ok: true, value: await run(input, standard, schema) };
  } catch (error) {
    return { ok: false, overflow: error instanceof RangeError };
  }
}

/** Whether the tool has a value for the text is not asked here, only what it takes to say so. */
async function runOnce(text, schema) {
  try {
    await run(text, schema);
  } catch (error) {
    return error instanceof RangeError;
  }
  return false;
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/**
 * CPU milliseconds of one run for each length, of all threads of the process: what collects garbage counts. A sample
 * of any length reads the same number of characters, the short texts as often as it takes, so that each bears the
 * same share of garbage and of noise.
 */
async function measure({ name, lengths, refused, minSampleMs }) {
  const schema = refused ? NOTHING_FITS : undefined;
  const texts = lengths.map((length) => adversarial[name](length));
  const longest = lengths.at(-1);
  const ms = [];
  for (const [at, text] of texts.entries()) {
    const runs = longest / lengths[at];
    const started = cpuMs();
    let count = 0;
    let spent = 0;
    do {
      for (let run = 0; run < runs; run++) await runOnce(text, schema);
      count += runs;
      spent = cpuMs() - started;
    } while (spent < minSampleMs);
    ms.push(spent / count);
  }
  return { ms };
}

async function probe({ name, length, refused }) {
  const text = adversarial[name](length);
  const started = cpuMs();
  const overflow = await runOnce(text, refused ? NOTHING_FITS : undefined);
  return { overflow, ms: cpuMs() - started };
}

parentPort.on("message", async ({ kind, ...question }) => {
  const result = kind === "probe" ? probe : kind === "measure" ? measure : answer;
  try {
    parentPort.postMessage(await result(question));
  } catch {
    parentPort.postMessage({ ok: false });
  }
});
parentPort.postMessage("ready");
