import { type Command, InvalidArgumentError, Option } from "commander";
import type { ListOptions } from "../research/list-researches.js";
import type { CommandParts } from "./command-parts.js";
import { moment, wholeNumber } from "./option-values.js";

const STATES = ["running", "completed", "failed", "cancelled", "interrupted"];

export function addList(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("list")
    .description("list researches, the newest first")
    .option("--search <words>", "only questions with all these words")
    .addOption(new Option("--state <state>", "only those in this state (repeatable)").choices(STATES).argParser(states))
    .addOption(new Option("--since <time>", "only those asked since: 2d, 12h, 2026-11-01").argParser(moment))
    .option("--thread [id]", "only this research and the others of its thread")
    .option("-l, --last", "with --thread: that of the research that was asked last")
    .addOption(new Option("-n, --limit <n>", "list at most this many").argParser(wholeNumber(1)).default(20))
    .addOption(new Option("--page <n>", "which page of that many").argParser(wholeNumber(1)).default(1))
    .option("--json", "print JSON")
    .option("--ids", "print only the ids")
    .action(async (options: ListOptions) => {
      const { listResearches } = await import("../research/list-researches.js");
      exitWith(await listResearches(options, io));
    });
}

function states(text: string, before: readonly string[] = []): string[] {
  if (!STATES.includes(text)) throw new InvalidArgumentError(`Allowed choices are ${STATES.join(", ")}.`);
  return [...before, text];
}
