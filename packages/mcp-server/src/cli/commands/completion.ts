import { Argument, type Command } from "commander";
import { PROGRAM } from "../../host/command-name.js";
import type { Shell } from "../completion/scripts.js";
import type { CommandParts } from "./command-parts.js";

export function addCompletion(program: Command, { io }: CommandParts): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: Shell) => {
      const { completionScript } = await import("../completion/scripts.js");
      io.stdout.write(completionScript(shell, PROGRAM, program.commands));
      if (io.command !== PROGRAM)
        io.stderr.write(`This completes \`${PROGRAM}\`, once it is installed: npm install -g @x/mcp-server\n`);
    });
}
