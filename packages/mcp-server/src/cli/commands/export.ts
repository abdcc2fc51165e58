import { type Command, Option } from "commander";
import type { ExportOptions } from "../research/export-research.js";
import type { CommandParts } from "./command-parts.js";
import { wrapped } from "./help-text.js";
import { addWhich } from "./which-argument.js";

/** As `export-research` makes them; that is loaded when one is wanted. */
const FORMATS = ["md", "html", "json", "ris", "bibtex", "csl", "docx", "pdf"];

export function addExport(program: Command, { io, exitWith }: CommandParts): void {
  addWhich(program.command("export").description("give a report, or its sources, to other programs"), io)
    .addOption(
      new Option("--format <format>", "what comes out (default: what the file's name says, else md)").choices(FORMATS),
    )
    .option("-o, --out <file>", "the file to write (default: print it)")
    .option("--thread", "the whole thread: this research and those before and after it")
    .option("--force", "write over a file that is there")
    .addHelpText("after", () =>
      wrapped(
        "\nris, bibtex and csl (CSL-JSON) hold the sources; for citation-js take csl: in ris it drops the day of the visit (Y2), which it does not know beside a site. pdf needs Chromium or Chrome, docx the package docx (npm install -g docx).",
        io.stdout,
      ),
    )
    .action(async (id: string | undefined, options: ExportOptions & { last?: boolean }) => {
      const { exportResearch } = await import("../research/export-research.js");
      exitWith(await exportResearch({ id, last: options.last }, options, io));
    });
}
