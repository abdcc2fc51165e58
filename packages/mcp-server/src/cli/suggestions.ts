import type { Command } from "commander";
import { nearest } from "../text/nearest.js";
import { shortLine } from "../text/plain-text.js";

/** Words that people try, and what they may mean. */
const MEANT: Readonly<Record<string, string>> = {
  question: "search",
  query: "search",
  find: "search",
  research: "deep-search",
  deep: "deep-search",
  browse: "open",
  view: "show",
  read: "show",
  save: "export",
  pdf: "export",
  cite: "export",
  remove: "delete",
  rm: "delete",
  stop: "cancel",
  kill: "cancel",
  purge: "clear",
  repeat: "again",
  rerun: "again",
  renew: "refresh",
  update: "refresh",
  followup: "ask",
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

/** What stands before and behind a wrong value; it may hold quotes itself. */
const BEFORE_VALUE = /^error: (?:option '([^']*)' argument|command-argument value) '/;
const BEHIND_VALUE = "' is invalid";
const ARGUMENT = /^ for argument '([^']*)'/;

/** An error of the command line in plain words. */
export function inPlainWords(error: string): string {
  const before = BEFORE_VALUE.exec(error);
  const end = error.lastIndexOf(BEHIND_VALUE);
  if (before === null || end < before[0].length) return error;
  const [start, option] = before;
  const value = error.slice(start.length, end);
  const behind = error.slice(end + BEHIND_VALUE.length).trimEnd();
  const [named = "", argument] = ARGUMENT.exec(behind) ?? [];
  const why = behind.slice(named.length).replace(/^\. /, "");
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
  if (/[\s?]/.test(word)) return `To ask a question: \`${name} search "…"\`.`;
  // Commander has a suggestion where the case of the letters is the same.
  if (error.includes("'\n(Did you mean ")) return undefined;
  const meant = nearest(
    word,
    program.commands.map((command) => command.name()),
  );
  return meant && `Did you mean \`${name} ${meant}\`?`;
}

/** What stands in quotes behind these words; the last quote ends it, for it may hold some itself. */
function quotedAfter(words: string, error: string): string | undefined {
  const from = error.indexOf(`${words}'`);
  if (from === -1) return undefined;
  const line = error.slice(from + words.length + 1);
  const guess = line.indexOf("'\n(Did you mean ");
  return line.slice(0, guess === -1 ? line.lastIndexOf("'") : guess);
}
