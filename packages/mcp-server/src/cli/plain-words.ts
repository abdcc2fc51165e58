import type { Command } from "commander";
import { nearest } from "../text/nearest.js";
import { shortLine } from "../text/plain-text.js";
import { EXAMPLES } from "./examples.js";

/** Words that people try, and the commands that they may mean: the first that is there. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  question: ["search"],
  query: ["search"],
  find: ["search"],
  research: ["deep-search"],
  deep: ["deep-search"],
  browse: ["open"],
  view: ["show"],
  read: ["show"],
  save: ["export"],
  pdf: ["export"],
  cite: ["export"],
  remove: ["delete", "unset"],
  delete: ["remove", "unset"],
  rm: ["delete", "remove", "unset"],
  stop: ["cancel"],
  kill: ["cancel"],
  purge: ["clear"],
  repeat: ["again"],
  rerun: ["again"],
  renew: ["refresh"],
  update: ["refresh", "limits", "set"],
  followup: ["ask"],
  continue: ["resume"],
  history: ["list"],
  ls: ["list"],
  show: ["list"],
  check: ["doctor"],
  status: ["doctor"],
  install: ["setup"],
  add: ["setup", "set"],
  init: ["setup"],
  configure: ["config"],
  settings: ["config"],
  login: ["auth"],
  key: ["auth"],
  model: ["models"],
};

/** Words for what the program does without a command. */
const SERVING = ["serve", "server", "start", "stdio", "mcp", "run"];

/** What is wrong with a command line, and what to do about it. */
export interface Mistake {
  problem: string;
  /** A line each. */
  advice: string[];
}

/** An error of the parser of command lines, in plain words; `command` is the one that it met. */
export function inPlainWords(error: string, command: Command): Mistake {
  const said = error.replace(/^error: /, "");
  const { problem, advice = [] } =
    wrongValue(said) ?? unknownOption(said, command) ?? unknownCommand(said, command) ?? missing(said, command);
  return { problem, advice: [...advice, `\`${nameOf(command)} --help\` shows how it is used.`] };
}

/** As a person types it. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}

type Found = Pick<Mistake, "problem"> & Partial<Mistake>;

/** What stands before and behind a wrong value; it may hold quotes itself. */
const BEFORE_VALUE = /^(?:option '([^']*)' argument|command-argument value) '/;
const BEHIND_VALUE = "' is invalid";
const ARGUMENT = /^ for argument '([^']*)'/;

function wrongValue(error: string): Found | undefined {
  const before = BEFORE_VALUE.exec(error);
  const end = error.lastIndexOf(BEHIND_VALUE);
  if (before === null || end < before[0].length) return undefined;
  const [start, option] = before;
  const value = error.slice(start.length, end);
  const behind = error.slice(end + BEHIND_VALUE.length).trimEnd();
  const [named = "", argument] = ARGUMENT.exec(behind) ?? [];
  const why = behind.slice(named.length).replace(/^\. /, "");
  const shown = JSON.stringify(shortLine(value, 60));
  const [, choices] = /^Allowed choices are (.*)\.$/.exec(why) ?? [];
  const flag = flagIn(option ?? "");
  if (choices === undefined) return { problem: `${option === undefined ? argument : flag} ${shown}: ${why}` };
  const meant = nearest(value, choices.split(", "));
  return {
    problem: `${shown} is not a ${argument ?? `value of ${flag}`}; it is one of ${choices}.`,
    advice: meant === undefined ? [] : [`Did you mean ${meant}?`],
  };
}

/** `-o, --out <file>` → `--out`. */
function flagIn(flags: string): string {
  return flags.split(", ").at(-1)?.split(" ")[0] ?? flags;
}

function unknownOption(error: string, command: Command): Found | undefined {
  const option = quotedAfter("unknown option ", error);
  if (option === undefined) return undefined;
  const problem = `There is no option ${shortLine(option, 60)} here.`;
  const owners = programOf(command).commands.filter(({ options }) => options.some(({ long }) => long === option));
  const names = owners.map((owner) => `\`${owner.name()}\``);
  if (names.length > 0) return { problem, advice: [`It is an option of ${names.join(", ")}.`] };
  const known = command.options.flatMap(({ long }) => long?.slice(2) ?? []);
  const meant = option.startsWith("--") ? nearest(option.slice(2), known) : undefined;
  return { problem, advice: meant === undefined ? [] : [`Did you mean --${meant}?`] };
}

function unknownCommand(error: string, command: Command): Found | undefined {
  const word = quotedAfter("unknown command ", error);
  if (word === undefined) return undefined;
  const name = nameOf(command);
  const problem = `There is no command ${JSON.stringify(shortLine(word, 60))}.`;
  if (command.parent === null && SERVING.includes(word))
    return {
      problem,
      advice: [`Without a command \`${name}\` serves MCP on stdin and stdout; \`${name} http\` over HTTP.`],
    };
  const known = command.commands.map((each) => each.name());
  const meant = (Object.hasOwn(MEANT, word) ? MEANT[word] : undefined)?.find((other) => known.includes(other));
  if (meant === undefined && command.parent === null && /[\s?]/.test(word))
    return { problem, advice: [`To ask a question: \`${name} search "…"\`.`] };
  const likely = meant ?? nearest(word, known);
  return { problem, advice: likely === undefined ? [] : [`Did you mean \`${name} ${likely}\`?`] };
}

function missing(error: string, command: Command): Found {
  const name = nameOf(command);
  const program = programOf(command).name();
  const example = EXAMPLES.map((each) => `${program} ${each}`).find((each) => each.startsWith(`${name} `));
  const usage = [`${name} ${command.usage()}`, ...(example === undefined ? [] : [`For example: ${example}`])];
  const argument = quotedAfter("missing required argument ", error);
  if (argument !== undefined) return { problem: `The ${argument} is missing.`, advice: usage };
  const [, flags = "", what] = /^(?:required )?option '([^']*)' (not specified|argument missing)$/.exec(error) ?? [];
  const [, value = ""] = /<(\w+)>/.exec(flags) ?? [];
  if (what === "not specified") return { problem: `${flags.split(", ").at(-1)} is missing.`, advice: usage };
  if (what === "argument missing") return { problem: `${flagIn(flags)} needs its ${value || "value"} behind it.` };
  return { problem: `${error.charAt(0).toUpperCase()}${error.slice(1)}`, advice: usage };
}

/** What stands in quotes behind these words; the last quote ends it, for it may hold some itself. */
function quotedAfter(words: string, error: string): string | undefined {
  return error.startsWith(`${words}'`) ? error.slice(words.length + 1, error.lastIndexOf("'")) : undefined;
}
