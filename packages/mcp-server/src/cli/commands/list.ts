import { type Command, Option } from "commander";
import type { CommandParts } from "./command-parts.js";
import { wholeNumber } from "./option-values.js";

export function addList(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("list")
    .description("list researches, the newest first")
    .addOption(new Option("-n, --limit <n>", "list at most this many").argParser(wholeNumber(1)).default(20))
    .option("--json", "print JSON")
    .option("--ids", "print the ids alone")
    .action(async (options: { limit: number; json?: boolean; ids?: boolean }) => {
      const { listResearches } = await import("../research/list-researches.js");
      exitWith(await listResearches(options, io));
    });
}
