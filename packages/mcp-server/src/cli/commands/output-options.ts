import type { Command } from "commander";

export function addOutputOptions(command: Command): Command {
  command.optionsGroup("What comes back:");
  return command
    .option("--json", "print the report as JSON")
    .option("-o, --out <file>", "also write the report as Markdown; `-` prints it instead")
    .option("--html <file>", "also write the report as one HTML page; `-` prints it instead")
    .option("--open", "also show the report in the browser")
    .option("-q, --quiet", "show no progress")
    .option("--verbose", "also show the log");
}

export function addRequireVerified(command: Command): Command {
  return command.option("--require-verified", "exit with 7 when the report could not be verified");
}
