import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addAuth(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("auth")
    .description("show how Gemini CLI is signed in, and the ways to do it")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const { showAuth } = await import("../doctor/auth.js");
      exitWith(await showAuth(options, io));
    });
}
