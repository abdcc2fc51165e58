import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { addWhich } from "./which-argument.js";

export function addEvidence(program: Command, { io, exitWith }: CommandParts): void {
  addWhich(
    program.command("evidence").description("write what a research rests on into one file that anybody can check"),
    io,
  )
    .requiredOption(
      "-o, --out <file>",
      "the file: question, record, pages, claims and quotations, packed; `-` prints it instead",
    )
    .option("--force", "write over a file that is there")
    .action(async (id: string | undefined, { last, ...where }: { last?: boolean; out: string; force?: boolean }) => {
      const { writeEvidence } = await import("../research/evidence.js");
      exitWith(await writeEvidence({ id, last }, where, io));
    });
}
