import { type Command, Option } from "commander";
import type { TokenOptions } from "../token/tokens.js";
import type { CommandParts } from "./command-parts.js";
import { wrapped } from "./help-text.js";
import { wholeNumber } from "./option-values.js";

export function addToken(program: Command, { io, exitWith }: CommandParts): void {
  const token = program
    .command("token")
    .description("who may use the server over HTTP: add, list, remove")
    .addHelpText("after", () =>
      wrapped("\nThe file is MCP_SERVER_TOKENS, else tokens.json in the config directory.", io),
    );
  token
    .command("add")
    .description("make a token for a tenant, and print it: it is shown this once")
    .argument("<name>", "of the tenant")
    .addOption(limit("--running <n>", "researches at once"))
    .addOption(limit("--queued <n>", "researches that wait"))
    .addOption(limit("--per-minute <n>", "calls a minute"))
    .addOption(limit("--kept <n>", "researches that stay when they have ended"))
    .action(async (name: string, options: TokenOptions) => {
      const { addTo } = await import("../token/tokens.js");
      exitWith(await addTo(name, options, io));
    });
  token
    .command("list")
    .description("list the tokens by their tenants")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const { listTokens } = await import("../token/tokens.js");
      exitWith(await listTokens(options, io));
    });
  token
    .command("remove")
    .description("take all tokens of a tenant away")
    .argument("<name>", "of the tenant")
    .action(async (name: string) => {
      const { removeFrom } = await import("../token/tokens.js");
      exitWith(await removeFrom(name, io));
    });
}

function limit(flags: string, what: string): Option {
  return new Option(flags, `${what}; default: no limit of its own`).argParser(wholeNumber(0));
}
