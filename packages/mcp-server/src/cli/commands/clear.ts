import { type Command, Option } from "commander";
import type { CommandParts } from "./command-parts.js";
import { moment } from "./option-values.js";

export function addClear(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("clear")
    .description("delete all researches that are older than a given time; those that run stay")
    .addOption(
      new Option("--older-than <time>", "those asked before: 30d, 12h, 2026-11-01")
        .argParser(moment)
        .makeOptionMandatory(),
    )
    .option("-y, --yes", "do not ask before deleting")
    .action(async (options: { olderThan: number; yes?: boolean }) => {
      const { clearResearches } = await import("../research/tidy.js");
      exitWith(await clearResearches(options, io));
    });
}
