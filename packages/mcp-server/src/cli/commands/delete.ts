import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addDelete(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("delete")
    .description("delete researches, with their reports")
    .argument("[id...]", `the ids of the researches, or their beginnings; \`${io.command} list\` shows them`)
    .option("-l, --last", "the research that was asked last")
    .action(async (ids: string[], { last }: { last?: boolean }) => {
      const { deleteResearches } = await import("../research/tidy.js");
      const which = last || ids.length === 0 ? [{ id: ids[0], last }] : ids.map((id) => ({ id }));
      exitWith(await deleteResearches(which, io));
    });
}
