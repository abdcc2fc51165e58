import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addModels(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("models")
    .description("list the models that the installed Gemini CLI knows")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const { showModels } = await import("../doctor/models.js");
      exitWith(await showModels(options, io));
    });
}
