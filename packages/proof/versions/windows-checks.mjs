// Runs under Node for Windows, beside the installed packages; each check is one line of JSON on stdout.
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGeminiRunner, findCli, resultOf } from "@x/gemini-runner";
import { extractJson } from "@x/json-repair";
import { builtInPrompts, deepSearch, search } from "@x/research";
import { createFileRunStore, createTempFiles } from "@x/research/node";

const { PATH: _, Path: __, ...others } = process.env;
const env = { ...others, pAtH: `${process.cwd()}\\bin;${process.env.PATH}`, gemini_api_key: "key" };
const runner = createGeminiRunner({ env, timeoutMs: 60_000 });
const folder = mkdtempSync(join(tmpdir(), "checks-"));
const deps = {
  runner,
  prompts: builtInPrompts,
  store: createFileRunStore({ directory: join(folder, "kept") }),
  tempFiles: createTempFiles({ directory: join(folder, "temp") }),
};

const CHECKS = {
  "the CLI is found through its `gemini.cmd`, and no shell is started": async () => {
    const { args, file } = await findCli({ env });
    return file.endsWith("node.exe") && args[0].endsWith("\\gemini-cli\\dist\\index.js");
  },
  "a run answers": async () => {
    const { text } = await resultOf(runner.run({ prompt: "why?" }));
    return text.includes("From win32.");
  },
  "a search answers": async () => {
    const { result } = await resultOf(search({ query: "why?" }, deps));
    return result === "From win32.";
  },
  "a deep search answers, and is kept on disk": async () => {
    const { result } = await resultOf(deepSearch({ query: "why?", maxRounds: 2 }, deps));
    return result === "From win32." && readdirSync(join(folder, "kept")).length > 0;
  },
  "a run that hangs is ended after its time": async () => {
    const impatient = createGeminiRunner({ env, timeoutMs: 5_000 });
    const error = await resultOf(impatient.run({ prompt: "HANG" })).catch((thrown) => thrown);
    await impatient.close();
    return error.reason === "timeout";
  },
  "nothing of a run is left": async () => {
    await runner.close();
    return !readdirSync(tmpdir()).some((name) => name.startsWith("gemini-run-"));
  },
  "JSON is repaired": async () => extractJson("Here: {a: 1,}").value?.a === 1 && existsSync(folder),
};

for (const title of Object.keys(CHECKS)) console.log(JSON.stringify({ title, result: "**not reached**" }));
for (const [title, act] of Object.entries(CHECKS)) await check(title, act);
process.exit(0);

async function check(title, act) {
  let result;
  try {
    result = (await act()) ? "yes" : "**no**";
  } catch (error) {
    result = `**${error.code ?? error.name}: ${error.message}**`;
  }
  console.log(JSON.stringify({ title, result }));
}
