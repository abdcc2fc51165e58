import { readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findCli } from "@x/gemini-runner";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { jsonText } from "../../text/json-text.js";
import { fail } from "../terminal/fail.js";
import { layOut } from "../terminal/layout.js";
import { screenOf } from "../terminal/paint.js";

/** Names that stand for a model of the CLI's choice. */
const ALIASES = ["auto", "pro", "flash", "flash-lite"];
/** How the CLI's program names its models: `var DEFAULT_GEMINI_MODEL = "gemini-2.5-pro"`. */
const CONSTANT = "_MODEL";
const NAMED = /^ ?= ?"(gem(?:ini|ma)-[\w.-]{1,60})"/;
/** Not to talk to. */
const OTHER = /embedding|image|live|tts|audio/;

/** Prints the models that the installed CLI knows by name. Gives the exit code. */
export async function showModels({ json }: { json?: boolean }, io: Io): Promise<number> {
  const { env, host, stdout, stderr } = io;
  const { config } = loadConfig(io);
  const { args, version } = await findCli({ command: config.cliPath, env, platform: host.platform });
  const models = args[0] === undefined ? [] : await modelsIn(dirname(await realpath(args[0])));
  if (models.length === 0) {
    const message = "The program that is set names no models: it may not be the Gemini CLI, or a newer one.";
    return fail(
      { code: "EXECUTION_ERROR", message, details: "Any name that your account can use may be given to --model." },
      { ...(json && { json }) },
      io,
    );
  }
  if (json) {
    stdout.write(jsonText({ cli: version, model: config.model ?? null, models, aliases: ALIASES }));
    return EXIT.ok;
  }
  const { paint } = screenOf(stdout, env);
  for (const name of [...models, ...ALIASES]) {
    const isSet = name === config.model;
    stdout.write(`${isSet ? paint.green(`${name}  (set)`) : name}\n`);
  }
  const { columns } = screenOf(stderr, env);
  const note = `Known to Gemini CLI ${version ?? ""}; ${ALIASES.join(", ")} let it choose. Which ones your account may use, Google decides. \`${io.command} config set model NAME\` chooses one.`;
  stderr.write(`\n${layOut({ text: note, style: screenOf(stderr, env).paint.dim }, { columns }).join("\n")}\n`);
  return EXIT.ok;
}

/** The names in the CLI's own files, the newest first. */
async function modelsIn(folder: string): Promise<string[]> {
  const found = new Set<string>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".js")) continue;
    const text = await readFile(join(folder, name), "utf8");
    for (const behind of text.split(CONSTANT)) {
      const [, model] = NAMED.exec(behind.slice(0, 80)) ?? [];
      if (model !== undefined && !OTHER.test(model)) found.add(model);
    }
  }
  return [...found].sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
}
