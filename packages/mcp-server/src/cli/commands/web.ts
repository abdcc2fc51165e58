import { type Command, Option } from "commander";
import type { CommandParts } from "./command-parts.js";
import { wholeNumber } from "./option-values.js";

export function addWeb(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("web")
    .description("show all researches as pages in your browser: ask, follow, search, delete")
    .addOption(
      new Option("--port <n>", "the port on this machine (default: any free one)").argParser(wholeNumber(0, 65_535)),
    )
    .option("--no-open", "only print the address")
    .action(async (options: { port?: number; open: boolean }) => {
      const { serveWeb } = await import("../research/serve-web.js");
      exitWith(await serveWeb(options, io));
    });
}
