import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { wrapped } from "./help-text.js";

export function addConfig(program: Command, { io, exitWith }: CommandParts): void {
  const load = () => import("../settings/config-command.js");
  const config = program
    .command("config")
    .helpCommand("help [command]", "print the help of a command")
    .description("show and change the settings in your config file; environment variables and options go before them")
    .addHelpText("after", () =>
      wrapped(
        `\nExamples:\n  ${io.command} config list\n  ${io.command} config set model gemini-3-flash-preview\n  ${io.command} config unset model`,
        io.stdout,
      ),
    );
  config
    .command("list")
    .description("every setting, its value and where that comes from")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => exitWith((await load()).listSettings(options, io)));
  config
    .command("get")
    .description("the value of one setting")
    .argument("<setting>", "its name, as `config list` shows it")
    .action(async (key: string) => exitWith((await load()).getSetting(key, io)));
  config
    .command("set")
    .description("write one setting into the file")
    .argument("<setting>", "its name, as `config list` shows it")
    .argument("<value>", "its value")
    .action(async (key: string, value: string) => exitWith(await (await load()).setSetting(key, value, io)));
  config
    .command("unset")
    .description("take one setting out of the file")
    .argument("<setting>", "its name, as `config list` shows it")
    .action(async (key: string) => exitWith(await (await load()).setSetting(key, undefined, io)));
  config
    .command("path")
    .description("where the file is")
    .action(async () => exitWith((await load()).printPath(io)));
}
