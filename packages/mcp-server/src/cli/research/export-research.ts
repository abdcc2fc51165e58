import { extname, resolve } from "node:path";
import { fileProblem } from "@x/owned-files";
import type { DeepSearchReport, SearchReport } from "@x/research";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { hasReferences, toBibtex, toCsl, toRis } from "../../report/bibliography.js";
import { threadToMarkdownFile } from "../../report/markdown.js";
import { readableReport } from "../../report/readable.js";
import { wholeAnswer } from "../../report/whole-answer.js";
import { jsonText } from "../../text/json-text.js";
import { shortLine } from "../../text/plain-text.js";
import { fail } from "../terminal/fail.js";
import { told } from "../terminal/told.js";
import { loadDocx } from "./load-docx.js";
import { problemOf, STDOUT } from "./output.js";
import { pageOf } from "./page-of.js";
import { printPdf } from "./print-pdf.js";
import { type FinishedRecord, finishedRecord, finishedThread } from "./show-research.js";
import type { Which } from "./which.js";
import { writeOut } from "./write-out.js";

type Made = string | Uint8Array;
type Readable = SearchReport | DeepSearchReport;

/** By the ending of its files: how a format is made, of one research or of a thread. */
const FORMATS = {
  md: async (records) => threadToMarkdownFile(readable(records)),
  html: async (records) => htmlOf(records),
  json: async (records) => {
    const answers = records.map(({ id, report }) => wholeAnswer(id, report));
    return jsonText(answers.length === 1 ? answers[0] : answers);
  },
  ris: async (records) => toRis(readable(records)),
  bibtex: async (records) => toBibtex(readable(records)),
  csl: async (records) => toCsl(readable(records)),
  docx: async (records) => docxOf(readable(records)),
  pdf: async (records, io) => printPdf(await htmlOf(records), io),
} satisfies Record<string, (records: readonly FinishedRecord[], io: Io) => Promise<Made>>;

function readable(records: readonly FinishedRecord[]): Readable[] {
  return records.map(({ report }) => readableReport(report));
}

async function htmlOf(records: readonly FinishedRecord[]): Promise<string> {
  return pageOf(readable(records));
}

async function docxOf(reports: readonly Readable[]): Promise<Uint8Array> {
  const { markdownToDocx } = await import("../../report/docx.js");
  const title = shortLine(reports[0]?.metadata.query ?? "", 200);
  return markdownToDocx(threadToMarkdownFile(reports), title, await loadDocx());
}

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

/** Those that hold the sources alone. */
const LISTS: ReadonlySet<Format> = new Set(["ris", "bibtex", "csl"]);

/** Endings of files that say their format in another way. */
const ENDINGS: Readonly<Record<string, Format>> = { bib: "bibtex", markdown: "md", htm: "html" };

export interface ExportOptions {
  /** Default: what the ending of the file says, else Markdown. */
  format?: Format;
  /** `-`, as the default: stdout. */
  out?: string;
  /** Writes over a file that is there. */
  force?: boolean;
  /** With all researches that follow each other with it. */
  thread?: boolean;
}

/** Gives out a kept report in a format of other programs. Gives the exit code. */
export async function exportResearch(which: Which, options: ExportOptions, io: Io): Promise<number> {
  const { force = false } = options;
  const out = options.out === STDOUT ? undefined : options.out;
  const refuse = (message: string, details?: string) =>
    fail({ code: "INVALID_INPUT", message, ...(details !== undefined && { details }) }, {}, io);
  const ending = extname(out ?? "")
    .slice(1)
    .toLowerCase();
  const format = options.format ?? ENDINGS[ending] ?? FORMAT_NAMES.find((name) => name === ending) ?? "md";
  if ((format === "pdf" || format === "docx") && out === undefined && io.stdout.isTTY)
    return refuse(
      `A ${format.toUpperCase()} is nothing for a terminal.`,
      `Name a file: ${io.command} export … --format ${format} --out report.${format}`,
    );
  const file = out === undefined ? undefined : resolve(io.host.cwd, out);
  if (file !== undefined) {
    const problem = await problemOf(file, { mayExist: force });
    if (problem !== undefined) return refuse(`--out ${out}: it cannot be written: ${problem}.`);
  }
  const found = options.thread ? await finishedThread(which, {}, io) : await finishedRecord(which, io);
  if (typeof found === "number") return found;
  const make: (records: readonly FinishedRecord[], io: Io) => Promise<Made> = FORMATS[format];
  const made = await make([found].flat(), io);
  if (LISTS.has(format) && !hasReferences(readable([found].flat())))
    io.stderr.write(told("!", "The report has no sources: there is nothing to list.", io.stderr, io.env));
  if (file === undefined) {
    io.stdout.write(made);
    return EXIT.ok;
  }
  try {
    await writeOut(file, made, { mayExist: force });
  } catch (error) {
    return fail({ code: "EXECUTION_ERROR", message: `${file} could not be written: ${fileProblem(error)}.` }, {}, io);
  }
  io.stderr.write(told("✓", `Wrote ${file}`, io.stderr, io.env));
  return EXIT.ok;
}
