import type { Command } from "commander";
import { nearest } from "../text/nearest.js";
import { shortLine } from "../text/plain-text.js";

/** Words that people try, and what they may mean. */
const MEANT: Readonly<Record<string, string>> = {
  ask: "search",
  question: "search",
  query: "search",
  find: "search",
  research: "deep-search",
  deep: "deep-search",
  browse: "open",
  view: "show",
  read: "show",
  remove: "delete",
  rm: "delete",
  stop: "cancel",
  kill: "cancel",
  purge: "clear",
  continue: "resume",
  history: "list",
  ls: "list",
  check: "doctor",
  status: "doctor",
  install: "setup",
  add: "setup",
  init: "setup",
  configure: "config",
  settings: "config",
  login: "auth",
  key: "auth",
  model: "models",
};

/** Words for what the program does without a command. */
const SERVING = ["serve", "server", "start", "stdio", "mcp", "run"];

/** Where a value is wrong: its name as a person types it, the value, and what commander says of it. */
const WRONG_VALUE =
  /^error: (?:option '(?<option>[^']*)' argument|command-argument value) '(?<value>[\s\S]*)' is invalid(?: for argument '(?<argument>[^']*)')?\. (?<why>[^']*)$/;

/** An error of the command line in plain words. */
export function inPlainWords(error: string): string {
  const { option, value = "", argument, why = "" } = WRONG_VALUE.exec(error.trimEnd())?.groups ?? {};
  if (option === undefined && argument === undefined) return error;
  const shown = JSON.stringify(shortLine(value, 60));
  const [, choices] = /^Allowed choices are (.*)\.$/.exec(why) ?? [];
  const [flag = ""] = (option ?? "").split(", ").slice(-1)[0]?.split(" ") ?? [];
  if (choices === undefined)
    return `error: ${option === undefined ? `${argument} ${shown}` : `${flag} ${shown}`}: ${why}\n`;
  const meant = nearest(value, choices.split(", "));
  const suggestion = meant === undefined ? "" : `\nDid you mean ${meant}?`;
  return `error: ${shown} is not a ${argument ?? `value of ${flag}`}; it is one of ${choices}.${suggestion}\n`;
}

/** What is added to an error of the command line, when it is known what was meant. */
export function suggestionFor(error: string, program: Command): string | undefined {
  const name = program.name();
  const option = quotedAfter("unknown option ", error);
  if (option !== undefined) {
    const owners = program.commands.filter((command) => command.options.some(({ long }) => long === option));
    const names = owners.map((owner) => `\`${owner.name()}\``);
    return names.length > 0 ? `\`${option}\` is an option of ${names.join(", ")}.` : undefined;
  }
  const word = quotedAfter("unknown command ", error);
  if (word === undefined) return undefined;
  if (SERVING.includes(word))
    return `Without a command \`${name}\` serves MCP on stdin and stdout; \`${name} http\` over HTTP.`;
  if (Object.hasOwn(MEANT, word)) return `Did you mean \`${name} ${MEANT[word]}\`?`;
  return /[\s?]/.test(word) ? `To ask a question: \`${name} search "…"\`.` : undefined;
}

/** What stands in quotes behind these words; the last quote ends it, for it may hold some itself. */
function quotedAfter(words: string, error: string): string | undefined {
  const from = error.indexOf(`${words}'`);
  if (from === -1) return undefined;
  const line = error.slice(from + words.length + 1);
  const guess = line.indexOf("'\n(Did you mean ");
  return line.slice(0, guess === -1 ? line.lastIndexOf("'") : guess);
}
