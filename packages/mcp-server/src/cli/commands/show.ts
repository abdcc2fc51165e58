import type { Command } from "commander";
import type { OutputOptions } from "../research/output.js";
import type { CommandParts } from "./command-parts.js";
import { addOutputOptions } from "./output-options.js";
import { addWhich } from "./which-argument.js";

export function addShow(program: Command, { io, exitWith }: CommandParts): void {
  const command = addWhich(
    program.command("show").description("show a kept report, or how far its research has come"),
    io,
  );
  command.option("--thread", "the whole thread as one document: this research and those before and after it");
  addOutputOptions(command).action(
    async (id: string | undefined, options: OutputOptions & { last?: boolean; thread?: boolean }) => {
      const { showResearch, showThread } = await import("../research/show-research.js");
      const show = options.thread ? showThread : showResearch;
      exitWith(await show({ id, last: options.last }, options, io));
    },
  );
}
