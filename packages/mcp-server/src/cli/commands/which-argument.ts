import type { Command } from "commander";
import type { Io } from "../../host/io.js";

/** The argument of a command that takes one research. */
export function addWhich(command: Command, { command: called }: Pick<Io, "command">): Command {
  return command
    .argument("[id]", `the id of the research, or its beginning; \`${called} list\` shows it`)
    .option("-l, --last", "the research that was asked last");
}
