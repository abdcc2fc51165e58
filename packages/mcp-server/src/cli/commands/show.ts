import type { Command } from "commander";
import type { OutputOptions } from "../research/output.js";
import type { CommandParts } from "./command-parts.js";
import { addOutputOptions } from "./output-options.js";
import { addWhich } from "./which-argument.js";

export function addShow(program: Command, { io, exitWith }: CommandParts): void {
  const command = addWhich(
    program.command("show").description("show a report that is kept, or how far its research is"),
    io,
  );
  addOutputOptions(command).action(async (id: string | undefined, options: OutputOptions & { last?: boolean }) => {
    const { showResearch } = await import("../research/show-research.js");
    exitWith(await showResearch({ id, last: options.last }, options, io));
  });
}
