// One tool in a thread of its own, so that what hangs or overflows can be stopped.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { HINTS } from "../test/corpus/score.js";
import { TOOLS } from "./peers.mjs";

const { tool, folder, own } = workerData;
const require = createRequire(pathToFileURL(`${folder}/package.json`));
const run = await TOOLS[tool]({ own, load: (name) => import(pathToFileURL(require.resolve(name)).href) });

parentPort.on("message", async ({ input, hint, measure }) => {
  const started = process.hrtime.bigint();
  let result;
  try {
    result = { ok: true, value: await run(input, hint && HINTS[hint]) };
  } catch (error) {
    result = { ok: false, overflow: error instanceof RangeError };
  }
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (measure) {
    const size = result.ok ? (JSON.stringify(result.value)?.length ?? 0) : 0;
    parentPort.postMessage({ ok: result.ok, overflow: result.overflow, size, ms });
    return;
  }
  try {
    parentPort.postMessage({ ...result, ms });
  } catch {
    parentPort.postMessage({ ok: false, ms });
  }
});
parentPort.postMessage("ready");
