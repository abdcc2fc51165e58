import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addVerify(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("verify")
    .description("check an evidence file: compute again what it claims, and name what differs")
    .argument("<file>", `what \`${io.command} evidence\` wrote`)
    .option("--online", "read the pages again, and say which quotations still stand there")
    .action(async (file: string, { online = false }: { online?: boolean }) => {
      const { verifyEvidence } = await import("../research/evidence.js");
      exitWith(await verifyEvidence(file, { online }, io));
    });
}
