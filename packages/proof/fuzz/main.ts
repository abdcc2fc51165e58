import { randomInt } from "node:crypto";
import * as fc from "fast-check";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { modelAnswers } from "./answers.js";
import { jobRecords, roundRecords } from "./checkpoints.js";
import { cliOutput, transcripts } from "./cli-output.js";
import { environmentParsed, environmentStarted } from "./environment.js";
import { protocolOnHttp } from "./http.js";
import { promptTemplates } from "./prompts.js";
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
];

const USAGE = `Random and hostile input for everything that reads some: npm run fuzz [-- options]

  --seconds N           for each target (60)
  --seed N              the same seed makes up the same inputs in the same order (random)
  --target EXPRESSION   targets whose names fit:
${TARGETS.map(({ name }) => `                        ${name}`).join("\n")}`;

const values = commandLine(USAGE, {
  seconds: { type: "string", default: "60" },
  seed: { type: "string" },
  target: { type: "string", default: "" },
});
const seed = values.seed === undefined ? randomInt(2 ** 31 - 1) : Number(values.seed);
const limitMs = Number(values.seconds) * 1_000;
if (!Number.isSafeInteger(seed) || !(limitMs > 0)) {
  refuse("--seed takes a whole number, --seconds a number above 0", USAGE);
}
const wanted = TARGETS.filter(({ name }) => new RegExp(values.target, "i").test(name));

console.log(`seed ${seed}, ${values.seconds} s for each of ${wanted.length} targets\n`);
let broken = 0;
for (const target of wanted) if (!(await holds(target))) broken++;
process.exitCode = broken > 0 ? 1 : 0;

async function holds({ name, open }: Target): Promise<boolean> {
  const target = await open();
  const from = performance.now();
  try {
    const details = await fc.check(target.property, {
      seed,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: limitMs,
      markInterruptAsFailure: false,
      timeout: INPUT_LIMIT_MS,
    });
    const took = `${Math.round((performance.now() - from) / 1_000)} s`;
    if (!details.failed) {
      console.log(`ok    ${name}: ${details.numRuns} inputs, ${took}`);
      return true;
    }
    const { error, counterexample, numShrinks } = details as typeof details & { error?: string };
    console.log(`FAIL  ${name}: input ${details.numRuns}, made smaller ${numShrinks} times, ${took}`);
    console.log(indented(String((details.errorInstance as Error | undefined)?.message ?? error).slice(0, 2_000)));
    console.log(indented(`with ${fc.stringify(counterexample).slice(0, 1_500)}`));
    console.log(indented(`again: pnpm fuzz --target '^${name}$' --seed ${seed} --seconds ${values.seconds}\n`));
    return false;
  } finally {
    await target.close();
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "      ");
}
