import type { Command } from "commander";
import type { OutputOptions } from "../research/output.js";
import type { CommandParts } from "./command-parts.js";
import { addOutputOptions, addRequireVerified } from "./output-options.js";
import { addWhich } from "./which-argument.js";

export function addResume(program: Command, { io, exitWith }: CommandParts): void {
  const command = addWhich(
    program
      .command("resume")
      .description("go on with a research that was stopped or failed, or wait for one that runs"),
    io,
  );
  addRequireVerified(addOutputOptions(command)).action(
    async (id: string | undefined, options: OutputOptions & { last?: boolean }) => {
      const { resuming, runResearch } = await import("../research/run-research.js");
      exitWith(await runResearch(resuming({ id, last: options.last }, io.command), options, io));
    },
  );
}
