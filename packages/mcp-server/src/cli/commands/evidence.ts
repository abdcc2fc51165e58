import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";

export function addEvidence(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("evidence")
    .description("write what a research rests on into one file that anybody can check")
    .argument("<id>", `its id; \`${io.command} list\` shows it`)
    .requiredOption("-o, --out <file>", "the file: question, record, pages, claims and quotations, packed")
    .action(async (id: string, { out }: { out: string }) => {
      const { writeEvidence } = await import("../research/evidence.js");
      exitWith(await writeEvidence(id, out, io));
    });
}
