import type { Command } from "commander";

export function addHelp(program: Command): void {
  const help = program
    .command("help")
    .description("print the help of a command")
    .argument("[command...]", "the command, and one of its own: `token add`");
  help.action((names: readonly string[]) => {
    let found = program;
    for (const name of names) {
      const next = found.commands.find((command) => command.name() === name);
      if (next === undefined) return found.error(`error: unknown command '${name}'`);
      found = next;
    }
    found.outputHelp();
  });
}
