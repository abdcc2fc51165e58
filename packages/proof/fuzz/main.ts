import { randomInt } from "node:crypto";
import * as fc from "fast-check";
import { chosenBy } from "../measure/choice.mjs";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { modelAnswers } from "./answers.js";
import { jobRecords, roundRecords } from "./checkpoints.js";
import { cliOutput, transcripts } from "./cli-output.js";
import { environmentParsed, environmentStarted } from "./environment.js";
import { growth } from "./growth.js";
import { protocolOnHttp } from "./http.js";
import { markdownForHosts } from "./markdown-for-hosts.js";
import { promptTemplates } from "./prompts.js";
import { rendering } from "./rendering.js";
import { protocolOnStdin } from "./stdin.js";
import { INPUT_LIMIT_MS, type Target } from "./target.js";
import { toolArguments } from "./tool-arguments.js";

const TARGETS: readonly Target[] = [
  protocolOnStdin,
  protocolOnHttp,
  toolArguments,
  environmentParsed,
  environmentStarted,
  promptTemplates,
  modelAnswers,
  roundRecords,
  jobRecords,
  transcripts,
  cliOutput,
  rendering,
  markdownForHosts,
  growth,
];

/** Fewer than that have tested nothing. */
const LEAST_INPUTS = 20;

const USAGE = `Random and hostile input for everything that reads some: npm run fuzz [-- options]

  --seconds N           for each target (60)
  --seed N              the same seed makes up the same inputs in the same order (random)
  --path PATH           that input alone of the seed's, as a failure names it
  --target EXPRESSION   targets whose names fit:
${TARGETS.map(({ name }) => `                        ${name}`).join("\n")}

A target that fewer than ${LEAST_INPUTS} inputs were thrown at was not tested: that is a failure too.`;

const values = commandLine(USAGE, {
  seconds: { type: "string", default: "60" },
  seed: { type: "string" },
  path: { type: "string" },
  target: { type: "string" },
});
const seed = values.seed === undefined ? randomInt(2 ** 31 - 1) : Number(values.seed);
const limitMs = Number(values.seconds) * 1_000;
if (!Number.isSafeInteger(seed) || !(limitMs > 0)) {
  refuse("--seed takes a whole number, --seconds a number above 0", USAGE);
}
const wanted = chosenBy("--target", values.target, TARGETS, { nameOf: ({ name }) => name, usage: USAGE });
const { path } = values;
if (path !== undefined && (!/^\d+(:\d+)*$/.test(path) || values.seed === undefined || wanted.length !== 1)) {
  refuse("--path takes numbers with colons between them, and a --seed and one --target", USAGE);
}

console.log(`seed ${seed}, ${values.seconds} s for each of ${wanted.length} targets\n`);
let broken = 0;
for (const target of wanted) if (!(await holds(target))) broken++;
process.exitCode = broken > 0 ? 1 : 0;

async function holds({ name, open }: Target): Promise<boolean> {
  const target = await open();
  const from = performance.now();
  try {
    const { failed, counterexample, counterexamplePath, errorInstance, numRuns, numShrinks } = await fc.check(
      target.property,
      {
        seed,
        ...(path === undefined ? { numRuns: Number.MAX_SAFE_INTEGER } : { path, numRuns: 1, endOnFailure: true }),
        interruptAfterTimeLimit: limitMs,
        markInterruptAsFailure: false,
        timeout: INPUT_LIMIT_MS,
      },
    );
    const took = `${Math.round((performance.now() - from) / 1_000)} s`;
    const select = `--target '^${name}$' --seed ${seed}`;
    // Without a single input that was tried to its end it is called failed.
    if (!failed || counterexamplePath === null) {
      const tested = numRuns >= (path === undefined ? LEAST_INPUTS : 1);
      console.log(`${tested ? "ok   " : "FEW  "} ${name}: ${numRuns} inputs, ${took}`);
      if (!tested) {
        console.log(indented(`not tested: ${LEAST_INPUTS} inputs at least are needed; give it more --seconds`));
        console.log(indented(`again: npm run fuzz -- ${select} --seconds ${Math.ceil((limitMs / 1_000) * 4)}\n`));
      }
      return tested;
    }
    console.log(`FAIL  ${name}: input ${numRuns}, made smaller ${numShrinks} times, ${took}`);
    const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    console.log(indented(reason.slice(0, 2_000)));
    console.log(indented(`with ${fc.stringify(counterexample).slice(0, 1_500)}`));
    console.log(indented(`again: npm run fuzz -- ${select} --path ${counterexamplePath}\n`));
    return false;
  } finally {
    await target.close();
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "      ");
}
