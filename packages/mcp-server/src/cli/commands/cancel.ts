import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { addWhich } from "./which-argument.js";

export function addCancel(program: Command, { io, exitWith }: CommandParts): void {
  addWhich(program.command("cancel").description("stop a research that runs, wherever it was asked"), io).action(
    async (id: string | undefined, { last }: { last?: boolean }) => {
      const { cancelResearch } = await import("../research/tidy.js");
      exitWith(await cancelResearch({ id, last }, io));
    },
  );
}
