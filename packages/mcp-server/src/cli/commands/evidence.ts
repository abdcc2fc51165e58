import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { addWhich } from "./which-argument.js";

export function addEvidence(program: Command, { io, exitWith }: CommandParts): void {
  addWhich(
    program.command("evidence").description("write what a research rests on into one file that anybody can check"),
    io,
  )
    .requiredOption("-o, --out <file>", "the file: question, record, pages, claims and quotations, packed")
    .action(async (id: string | undefined, { last, out }: { last?: boolean; out: string }) => {
      const { writeEvidence } = await import("../research/evidence.js");
      exitWith(await writeEvidence({ id, last }, out, io));
    });
}
