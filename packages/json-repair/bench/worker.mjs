// One tool in a thread of its own, so that what hangs or overflows can be stopped.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { HINTS } from "../test/corpus/score.js";
import { adversarial, NOTHING_FITS } from "./adversarial.mjs";
import { TOOLS } from "./peers.mjs";

const { tool, folder, own } = workerData;
const require = createRequire(pathToFileURL(`${folder}/package.json`));
const run = await TOOLS[tool]({ own, load: (name) => import(pathToFileURL(require.resolve(name)).href) });
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

async function answer({ input, hint }) {
  try {
    return { ok: true, value: await run(input, hint && HINTS[hint]) };
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
 * CPU milliseconds of one run for each length: the best of several rounds over all lengths, each behind a collection
 * of garbage, after the engine has had time to compile. What takes too little time is repeated within a sample.
 */
async function measure({ name, lengths, refused, rounds, sampleMs, warmUpMs }) {
  const schema = refused ? NOTHING_FITS : undefined;
  const texts = lengths.map((length) => adversarial[name](length));
  const [shortest] = texts;
  const warm = cpuMs() + warmUpMs;
  do await runOnce(shortest, schema);
  while (cpuMs() < warm);
  const best = lengths.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [at, text] of texts.entries()) {
      collectGarbage();
      // Garbage collection throws the machine code of patterns away, and their first run after it is interpreted.
      await runOnce(shortest, schema);
      await runOnce(shortest, schema);
      const started = cpuMs();
      let count = 0;
      let ms = 0;
      do {
        await runOnce(text, schema);
        ms = cpuMs() - started;
        count++;
      } while (ms < sampleMs);
      best[at] = Math.min(best[at], ms / count);
    }
  }
  return { best };
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
