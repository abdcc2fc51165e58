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
  command.option("--thread", "all researches that follow each other with it, as one document");
  addOutputOptions(command).action(
    async (id: string | undefined, options: OutputOptions & { last?: boolean; thread?: boolean }) => {
      const { showResearch, showThread } = await import("../research/show-research.js");
      const show = options.thread ? showThread : showResearch;
      exitWith(await show({ id, last: options.last }, options, io));
    },
  );
}
