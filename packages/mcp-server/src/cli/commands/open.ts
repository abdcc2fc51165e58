import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { addWhich } from "./which-argument.js";

export function addOpen(program: Command, { io, exitWith }: CommandParts): void {
  addWhich(program.command("open").description("show a report in the browser"), io).action(
    async (id: string | undefined, { last }: { last?: boolean }) => {
      const { openResearch } = await import("../research/show-research.js");
      exitWith(await openResearch({ id, last }, io));
    },
  );
}
