import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { BY_HAND_PAGE, byHandOf, fileByHand } from "../setup/by-hand.js";
import { CLIENTS, type ClientName } from "../setup/client.js";
import type { SetupOptions } from "../setup/set-up.js";
import type { CommandParts } from "./command-parts.js";
import { variables } from "./option-values.js";

export function addSetup(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("setup")
    .description("add the server to MCP clients; without a name, say which are installed")
    .addArgument(new Argument("[client...]", "which clients").choices(CLIENTS).argParser(clientNames))
    .option("--print", "print the configuration instead of writing it")
    .option("--project", "for the project in the current folder instead of for you")
    .addOption(new Option("--env <NAME=VALUE>", "a variable for the server (repeatable)").argParser(variables))
    .option("-y, --yes", "do not ask before writing")
    .action(async (names: readonly ClientName[], options: SetupOptions) => {
      const { setUp } = await import("../setup/set-up.js");
      exitWith(await setUp(names, options, io));
    });
}

/** Upper and lower case do not count. */
function clientNames(text: string, before: readonly ClientName[] = []): ClientName[] {
  const given = text.toLowerCase();
  const byHand = byHandOf(given);
  if (byHand !== undefined)
    throw new InvalidArgumentError(
      `${byHand.title} is set up by hand, in ${fileByHand(byHand)}. What to write there: ${BY_HAND_PAGE}`,
    );
  const name = CLIENTS.find((client) => client === given);
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${CLIENTS.join(", ")}.`);
  return [...new Set([...before, name])];
}
