import type { Command } from "commander";
import type { OutputOptions } from "../research/output.js";
import type { CommandParts } from "./command-parts.js";
import { addOutputOptions, addRequireVerified } from "./output-options.js";

export function addResume(program: Command, { io, exitWith }: CommandParts): void {
  const command = program
    .command("resume")
    .description("go on with a research that was stopped or failed, or show a finished one")
    .argument("<id>", `its id; \`${io.command} list\` shows it`);
  addRequireVerified(addOutputOptions(command)).action(async (id: string, options: OutputOptions) => {
    const { resuming, runResearch } = await import("../research/run-research.js");
    exitWith(await runResearch(resuming(id, io.command), options, io));
  });
}
