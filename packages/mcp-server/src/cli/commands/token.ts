import { type Command, Option } from "commander";
import type { Most, TokenOptions } from "../token/tokens.js";
import type { CommandParts } from "./command-parts.js";
import { wrapped } from "./help-text.js";
import { wholeNumber } from "./option-values.js";

export function addToken(program: Command, { io, exitWith }: CommandParts): void {
  const token = program
    .command("token")
    .helpCommand("help [command]", "print the help of a command")
    .description("who may use the server over HTTP: add, list, limits, remove")
    .addHelpText("after", () =>
      wrapped("\nThe file is MCP_SERVER_TOKENS, else tokens.json in the config directory.", io.stdout),
    );
  limited(token.command("add").description("make a token for a tenant, and print it: it is shown only once")).action(
    async (name: string, options: TokenOptions) => {
      const { addTo } = await import("../token/tokens.js");
      exitWith(await addTo(name, options, io));
    },
  );
  token
    .command("list")
    .description("list the tokens by their tenants")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const { listTokens } = await import("../token/tokens.js");
      exitWith(await listTokens(options, io));
    });
  limited(token.command("limits").description("change limits of a tenant, or show them")).action(
    async (name: string, options: TokenOptions) => {
      const { limitsOf } = await import("../token/tokens.js");
      exitWith(await limitsOf(name, options, io));
    },
  );
  token
    .command("remove")
    .description("remove all tokens of a tenant, or one of them")
    .argument("<name>", "of the tenant")
    .option("--digest <digits>", "the one of which list shows these digits")
    .action(async (name: string, options: { digest?: string }) => {
      const { removeFrom } = await import("../token/tokens.js");
      exitWith(await removeFrom(name, options, io));
    });
}

/** A tenant with its limits: those of all its tokens. */
function limited(command: Command): Command {
  return command
    .argument("<name>", "of the tenant")
    .addOption(limit("--running <n>", "researches at once"))
    .addOption(limit("--queued <n>", "researches that wait"))
    .addOption(limit("--per-minute <n>", "questions in a minute"))
    .addOption(limit("--kept <n>", "researches that stay when they have ended"));
}

const atLeastNone = wholeNumber(0);

function limit(flags: string, what: string): Option {
  return new Option(flags, `${what}; none: no limit of its own`).argParser(
    (text): Most => (text === "none" ? text : atLeastNone(text)),
  );
}
