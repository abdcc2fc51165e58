import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addDelete(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("delete")
    .description("delete researches, with their reports")
    .argument("<id...>", `the ids of the researches, or their beginnings; \`${io.command} list\` shows them`)
    .action(async (ids: string[]) => {
      const { deleteResearches } = await import("../research/tidy.js");
      exitWith(await deleteResearches(ids, io));
    });
}
