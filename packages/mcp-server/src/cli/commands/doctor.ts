import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addDoctor(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("doctor")
    .description("check what research needs: Node.js, the CLI, the sign-in, the settings")
    .option("--live", "also ask the model one short question")
    .option("--json", "print JSON")
    .action(async (options: { live?: boolean; json?: boolean }) => {
      const { runDoctor } = await import("../doctor/run-doctor.js");
      exitWith(await runDoctor(options, io));
    });
}
