import { fileProblem } from "@x/owned-files";
import type { DeepSearchReport, SearchReport } from "@x/research";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import type { JobRecord, Report } from "../../jobs/job-record.js";
import { planIn } from "../../jobs/plans.js";
import { readableReport } from "../../report/readable.js";
import { wholeAnswer } from "../../report/whole-answer.js";
import { jsonText } from "../../text/json-text.js";
import { shortLine } from "../../text/plain-text.js";
import { fail } from "../terminal/fail.js";
import { screenOf } from "../terminal/paint.js";
import { told } from "../terminal/told.js";
import type { Output } from "./output.js";
import { pageOf } from "./page-of.js";
import { shortId } from "./which.js";
import { writeOut } from "./write-out.js";

/** Markdown is made safe with a parser of its own weight: what JSON alone needs does without. */
const markdown = () => import("../../report/markdown.js");

/** Prints a report and writes its files. Gives the exit code. */
export async function giveOut(record: JobRecord & { report: Report }, output: Output, io: Io): Promise<number> {
  const report = readableReport(record.report);
  const written = async (form: "out" | "html") =>
    form === "out" ? (await markdown()).reportToMarkdownFile(report) : pageOf([report]);
  if (output.stdout === "json") io.stdout.write(jsonText(wholeAnswer(record.id, record.report)));
  else io.stdout.write(output.stdout === "report" ? await printed(report, io) : await written(output.stdout));
  let code: number = EXIT.ok;
  for (const form of ["out", "html"] as const) {
    const file = output.files[form];
    if (file === undefined) continue;
    try {
      await writeOut(file, await written(form));
      if (!output.quiet) io.stderr.write(told("✓", `Wrote ${file}`, io.stderr, io.env));
    } catch (error) {
      const again = `The report is kept: \`${io.command} resume ${record.id} --${form} FILE\` writes it to another file.`;
      const what = `${file} could not be written: ${fileProblem(error)}\n${again}`;
      io.stderr.write(told("✗", what, io.stderr, io.env));
      code = EXIT.failed;
    }
  }
  const isPlan = planIn(record.report) !== undefined;
  if (isPlan && output.stdout === "report" && !output.quiet) io.stderr.write(afterPlan(record, io));
  if (output.open) code = Math.max(code, await (await import("./open-page.js")).openPage([record], io));
  if (code !== EXIT.ok || isPlan) return code;
  const verified = "verified" in report && report.verified;
  const { proven, required = 0 } = report.metadata.evidence ?? {};
  return (output.requireVerified && !verified) || (proven ?? 0) < required ? EXIT.notVerified : code;
}

/** Prints the reports of a thread as one document, and writes its files. Gives the exit code. */
export async function giveOutThread(
  records: readonly (JobRecord & { report: Report })[],
  output: Output,
  io: Io,
): Promise<number> {
  const reports = records.map(({ report }) => readableReport(report));
  const written = async (form: "out" | "html") =>
    form === "out" ? (await markdown()).threadToMarkdownFile(reports) : pageOf(reports);
  const { paint, columns } = screenOf(io.stdout, io.env);
  if (output.stdout === "json") io.stdout.write(jsonText(records.map(({ id, report }) => wholeAnswer(id, report))));
  else if (output.stdout !== "report") io.stdout.write(await written(output.stdout));
  else if (!io.stdout.isTTY) io.stdout.write(await written("out"));
  else {
    for (const report of reports) {
      const title = paint.bold(shortLine(report.metadata.query, columns - 2));
      io.stdout.write(`${paint.cyan("▌")} ${title}\n\n${await printed(report, io)}\n`);
    }
  }
  for (const form of ["out", "html"] as const) {
    const file = output.files[form];
    if (file === undefined) continue;
    try {
      await writeOut(file, await written(form));
    } catch (error) {
      return fail({ code: "EXECUTION_ERROR", message: `${file} could not be written: ${fileProblem(error)}.` }, {}, io);
    }
    if (!output.quiet) io.stderr.write(told("✓", `Wrote ${file}`, io.stderr, io.env));
  }
  return output.open ? (await import("./open-page.js")).openPage(records, io) : EXIT.ok;
}

/** How to go on after a plan. */
function afterPlan(record: JobRecord, { command, stderr, env }: Io): string {
  const { paint } = screenOf(stderr, env);
  const id = shortId(record);
  // Each on a line of its own: they are copied.
  const lines = [
    "Research by this plan:",
    `  ${paint.bold(`${command} again ${id}`)}`,
    "Or change it first: queries and aspects under `plan` in",
    `  ${paint.bold(`${command} show ${id} --json > plan.json`)}`,
    `  ${paint.bold(`${command} again ${id} --plan-file plan.json`)}`,
  ];
  return `\n${lines.join("\n")}\n`;
}

async function printed(report: SearchReport | DeepSearchReport, io: Io): Promise<string> {
  const { stdout, env } = io;
  if (!stdout.isTTY) return (await markdown()).reportToMarkdown(report);
  const { reportToTerminal } = await import("../terminal/report.js");
  return reportToTerminal(report, screenOf(stdout, env), loadConfig(io).config);
}
