import { dirname } from "node:path";
import { fileProblem, makeFolder, ownProcess, readText } from "@x/owned-files";
import { sayingOf } from "../../host/config.js";
import { configFileLimits, configFilePath, readConfigFile, unknownKey } from "../../host/config-file.js";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { replaceFile } from "../../host/replace-file.js";
import { type Setting, settings } from "../../host/settings.js";
import { createRecordLock } from "../../jobs/file-lock.js";
import { jsonText } from "../../text/json-text.js";
import { plainLine } from "../../text/plain-text.js";
import { failureText } from "../terminal/failure.js";
import { cutToWidth } from "../terminal/layout.js";
import { screenOf } from "../terminal/paint.js";
import { told } from "../terminal/told.js";
import { widthOf } from "../terminal/width.js";

/** A setting that may stand in the config file, and what is in effect now. */
interface Said {
  key: string;
  setting: Setting<unknown>;
  /** Without one the default counts. */
  text?: string;
  /** `default`, a variable's name, or a line of the config file. */
  from: string;
  /** What is said and cannot be used. */
  refused?: { value: string; from: string };
}

/** Prints where the config file is. */
export function printPath({ stdout, env, host }: Io): number {
  stdout.write(`${configFilePath(env, host)}\n`);
  return EXIT.ok;
}

/** Prints every setting with its value and where that comes from, and what is wrong in the file. */
export function listSettings({ json }: { json?: boolean }, io: Io): number {
  const { stdout, env, host } = io;
  const file = readConfigFile(env, host);
  const all = [...settingsByKey(io).values()].map((setting) => saidOf(setting, io));
  const { problems } = loadConfig(io);
  if (json)
    stdout.write(
      jsonText(
        Object.fromEntries(
          all.map(({ key, setting, text, from, refused }) => [
            key,
            { value: text ?? inWords(setting), from, ...(refused && { refused }) },
          ]),
        ),
      ),
    );
  else {
    const place = (from: string) => (from.startsWith(file.path) ? "config file" : from);
    const rows = all.map(({ key, setting, text, from, refused }) => {
      const instead = refused && `default, since that of ${place(refused.from)} is refused`;
      const note = from === "default" ? (instead ?? "") : place(from);
      return { key, value: plainLine(text ?? inWords(setting)), isDefault: text === undefined, note };
    });
    stdout.write(settingsTable(rows, io));
  }
  tellProblems(problems, io);
  return problems.some((problem) => problem.startsWith(file.path)) ? EXIT.failed : EXIT.ok;
}

interface Row {
  key: string;
  value: string;
  isDefault: boolean;
  /** Where the value comes from; empty of a default. */
  note: string;
}

const GAP = "  ";

/** A line each: the name, the value as far as it fits a window, and where it comes from. */
function settingsTable(rows: readonly Row[], { stdout, env }: Pick<Io, "stdout" | "env">): string {
  const { paint, columns } = screenOf(stdout, env);
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(widthOf));
  const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - widthOf(text)));
  const names = widest(rows.map(({ key }) => key)) + GAP.length;
  const noted = rows.filter(({ note }) => note !== "");
  const room = columns - names - widest(noted.map(({ note }) => GAP + note));
  const fitting = (value: string, width: number) => (stdout.isTTY ? cutToWidth(value, Math.max(10, width)) : value);
  const values = widest(noted.map(({ value }) => fitting(value, room)));
  const lines = rows.map(({ key, value, isDefault, note }) => {
    const shown = note === "" ? fitting(value, columns - names) : padded(fitting(value, room), values);
    const name = paint.bold(padded(key, names));
    return `${name}${isDefault ? paint.dim(shown) : shown}${note === "" ? "" : paint.dim(GAP + note)}`;
  });
  return `${lines.join("\n")}\n`;
}

/** Prints the value of one setting alone. */
export function getSetting(key: string, io: Io): number {
  const setting = settingsByKey(io).get(key);
  if (setting === undefined) return refuse(unknown(key, io), io);
  const { text } = saidOf(setting, io);
  tellProblems(readConfigFile(io.env, io.host).problems, io);
  io.stdout.write(`${plainLine(text ?? String(setting.setting.fallbackInWords ?? setting.setting.fallback ?? ""))}\n`);
  return EXIT.ok;
}

/** Writes one setting into the config file, if its value can be read; without a value it is taken out. */
export async function setSetting(key: string, value: string | undefined, io: Io): Promise<number> {
  const path = configFilePath(io.env, io.host);
  const found = settingsByKey(io).get(key);
  if (found === undefined && !(value === undefined && (await isIn(path, key)))) return refuse(unknown(key, io), io);
  const setting = found?.setting;
  const text = value?.trim() ?? "";
  const isRead = text !== "" && setting?.read(text, dirname(path)) !== undefined;
  if (value !== undefined && setting !== undefined && !isRead)
    return refuse(`${key} cannot be ${JSON.stringify(value)}: expected ${setting.expected}.`, io);
  const { problems } = readConfigFile(io.env, io.host);
  const broken = problems.find((problem) => problem.includes("nothing of"));
  if (broken !== undefined) return refuse(`${broken}. Mend it first.`, io);
  try {
    // While no other terminal changes the file.
    await createRecordLock({ directory: dirname(path), own: ownProcess() })("config", async () => {
      const { [key]: _, ...others } = await contentOf(path);
      const content = value === undefined ? others : { ...others, [key]: asJson(text) };
      await makeFolder(dirname(path), { mode: 0o700 });
      await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
    });
  } catch (error) {
    return refuse(`${path} could not be written: ${fileProblem(error)}`, io, EXIT.failed);
  }
  const [first = ""] = (setting?.names ?? []).filter((name) => io.env[name]?.trim());
  if (first !== "")
    io.stderr.write(told("!", `${first} is set in the environment and counts before it.`, io.stderr, io.env));
  const done = value === undefined ? `${key} is not set any more` : `${key} = ${plainLine(text)}`;
  io.stderr.write(told("✓", done, io.stderr, io.env));
  return EXIT.ok;
}

function tellProblems(problems: readonly string[], { stderr, env }: Pick<Io, "stderr" | "env">): void {
  for (const problem of problems) stderr.write(told("!", plainLine(problem), stderr, env));
}

function settingsByKey({
  env,
  host,
}: Pick<Io, "env" | "host">): Map<string, { key: string; setting: Setting<unknown> }> {
  const table: Setting<unknown>[] = Object.values<Setting<unknown>>(settings(env, host));
  return new Map(
    table.flatMap((setting) => (setting.key === undefined ? [] : [[setting.key, { key: setting.key, setting }]])),
  );
}

function saidOf(
  { key, setting }: { key: string; setting: Setting<unknown> },
  { env, host }: Pick<Io, "env" | "host">,
): Said {
  const said = sayingOf(setting, { env, host, file: readConfigFile(env, host) });
  if (said === undefined) return { key, setting, from: "default" };
  const from = said.where.replace(/: \w+$/, "");
  const value = setting.read(said.text, said.cwd);
  if (value === undefined) return { key, setting, from: "default", refused: { value: said.text, from } };
  const counts = setting.countsAs?.(value) ?? value;
  return { key, setting, text: counts === value ? said.text : String(counts), from };
}

function inWords({ fallbackInWords, fallback }: Setting<unknown>): string {
  return fallbackInWords ?? String(fallback);
}

function unknown(key: string, io: Io): string {
  if (/key|token|secret|password/i.test(key))
    return `${JSON.stringify(key)} does not go into the config file: secrets belong into the environment, or the key of Gemini into ~/.gemini/.env (\`${io.command} auth\` says how).`;
  const said = unknownKey(key, [...settingsByKey(io).keys()]);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${said.endsWith("?") ? "" : "."}`;
}

/** What nobody knows can be taken out all the same. */
async function isIn(path: string, key: string): Promise<boolean> {
  return Object.hasOwn(await contentOf(path).catch(() => ({})), key);
}

async function contentOf(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse((await readText(path, configFileLimits(path))).trim() || "{}");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

/** Numbers and truth values as such, where JSON writes them as they were typed. */
function asJson(text: string): unknown {
  return /^(?:true|false|-?[1-9]\d{0,14}|0)$/.test(text) ? JSON.parse(text) : text;
}

function refuse(message: string, { stderr, env }: Io, code: number = EXIT.usage): number {
  stderr.write(failureText({ code: "INVALID_INPUT", message }, screenOf(stderr, env)));
  return code;
}
