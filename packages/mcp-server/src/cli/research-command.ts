import { access, constants, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { DeepSearchReport, SearchReport } from "@x/research";
import type { Io } from "../host/io.js";
import { VERSION } from "../host/version.js";
import { earlierInWords } from "../jobs/earlier.js";
import type { Failure } from "../jobs/failure.js";
import { toFailure } from "../jobs/failure.js";
import type { Job } from "../jobs/job.js";
import { isUnfinished, type JobRecord, type JobRequest, type JobTool, type Report } from "../jobs/job-record.js";
import { reportToMarkdown } from "../report/markdown.js";
import { failedAnswer, wholeAnswer } from "../tools/index.js";
import { EXIT, exitCodeOf, exitCodeOfSignal } from "./exit-codes.js";
import { failureText } from "./failure-text.js";
import { jsonText } from "./json-text.js";
import { openSession, type Session } from "./session.js";
import { screenOf } from "./terminal/paint.js";
import { createProgressDisplay } from "./terminal/show-progress.js";

export interface OutputOptions {
  json?: boolean;
  out?: string;
  html?: string;
  quiet?: boolean;
  requireVerified?: boolean;
}

/** How a command comes by its job; a text says why there is none. */
export type FindJob = (session: Session) => Promise<Job | { missing: string }>;

export function asking(tool: JobTool, request: JobRequest): FindJob {
  return async ({ jobs, warn }) => {
    const { job, earlier } = await jobs.start(tool, request);
    const words = earlier && earlierInWords(earlier);
    if (words !== undefined) warn(words);
    return job;
  };
}

export function resuming(id: string, command: string): FindJob {
  return async ({ jobs }) =>
    (await jobs.resume(id)) ?? {
      missing: `There is no research ${JSON.stringify(id)}; \`${command} list\` shows them.`,
    };
}

/** Follows one job to its end and gives out its report. Gives the exit code. */
export async function runResearch(findJob: FindJob, output: OutputOptions, io: Io): Promise<number> {
  const files = await checkFiles(output, io);
  if (typeof files === "string") return fail({ code: "INVALID_INPUT", message: files }, output, io);
  const now = Date.now;
  const display = await createProgressDisplay(io, { now, quiet: output.quiet === true });
  const { paint } = screenOf(io.stderr, io.env);
  const session = openSession(io, (message) => display.say(`${paint.yellow("!")} ${message}`));
  let job: Job | { missing: string };
  try {
    do {
      job = await findJob(session);
      if ("missing" in job) return fail({ code: "INVALID_INPUT", message: job.missing }, output, io);
      display.follow(job);
      await endOf(job, io.signal);
      // The process that worked on it may have ended in the middle.
    } while (isUnfinished(job.record) && !io.signal.aborted);
    if (job.record.report !== undefined) await session.jobs.taken(job.record);
  } catch (error) {
    return fail(toFailure(error), output, io);
  } finally {
    display.stop();
    await session.close();
  }
  return await giveOut(job.record, { output, files, io });
}

/** Resolves when the job has ended or the person has had enough. */
function endOf(job: Job, signal: AbortSignal): Promise<unknown> {
  const stopped = new Promise<void>((stop) => {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", () => stop(), { once: true });
  });
  return Promise.race([job.ended(signal), stopped]);
}

interface Files {
  out?: string;
  html?: string;
}

/** Before minutes are spent: whether the report can be written where it is wanted. */
async function checkFiles({ out, html }: OutputOptions, { host }: Io): Promise<Files | string> {
  const files: Files = {};
  for (const [name, path] of Object.entries({ out, html })) {
    if (path === undefined) continue;
    const file = resolve(host.cwd, path);
    const problem = await problemOf(file);
    if (problem !== undefined) return `--${name} ${path}: ${problem}`;
    files[name as keyof Files] = file;
  }
  return files;
}

/** Why a file could not be written, found out without a change to one that is there. */
async function problemOf(file: string): Promise<string | undefined> {
  try {
    const there = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (there?.isDirectory()) return "this is a folder; the name of a file is expected.";
    if (there !== undefined) await access(file, constants.W_OK);
    else {
      // Rights do not tell it all: in /proc nobody makes a file.
      await writeFile(file, "", { flag: "wx" });
      await rm(file);
    }
    return undefined;
  } catch (error) {
    return `it cannot be written (${(error as Error).message}). Name a file in a folder that exists and can be written to.`;
  }
}

async function giveOut(
  record: JobRecord,
  { output, files, io }: { output: OutputOptions; files: Files; io: Io },
): Promise<number> {
  if (record.report === undefined) {
    if (record.failure !== undefined && record.state !== "interrupted") return fail(record.failure, output, io);
    const kept = record.tool === "deep_search" && record.researchId !== undefined;
    const how = kept ? `Go on with: ${io.command} resume ${record.id}` : "Ask again to start anew.";
    fail({ code: "CANCELLED", message: "Stopped.", details: how }, output, io);
    return exitCodeOfSignal(io.signal.reason);
  }
  const report = toReadable(record.report);
  io.stdout.write(output.json ? jsonText(wholeAnswer(record.id, record.report)) : await printed(report, io));
  const { paint } = screenOf(io.stderr, io.env);
  let code: number = EXIT.ok;
  const write = async (option: keyof Files, file: string, text: string) => {
    try {
      await writeFile(file, text);
      if (!output.quiet) io.stderr.write(`${paint.green("✓")} Wrote ${file}\n`);
    } catch (error) {
      const again = `The report is kept: \`${io.command} resume ${record.id} --${option} FILE\` writes it to another file.`;
      io.stderr.write(`${paint.red("✗")} ${file} could not be written: ${(error as Error).message}\n  ${again}\n`);
      code = EXIT.failed;
    }
  };
  if (files.out !== undefined) await write("out", files.out, reportToMarkdown(report));
  if (files.html !== undefined) {
    const { reportPage } = await import("../report/html/page.js");
    await write("html", files.html, reportPage(report, { generator: `@x/mcp-server ${VERSION}` }));
  }
  if (code === EXIT.ok && output.requireVerified && !("verified" in report && report.verified)) return EXIT.notVerified;
  return code;
}

async function printed(report: SearchReport | DeepSearchReport, { stdout, env }: Io): Promise<string> {
  if (!stdout.isTTY) return reportToMarkdown(report);
  const { reportToTerminal } = await import("./terminal/report.js");
  return reportToTerminal(report, screenOf(stdout, env));
}

/** The older tool's report in the shape of the others. */
function toReadable(report: Report): SearchReport | DeepSearchReport {
  if ("result" in report) return report as SearchReport | DeepSearchReport;
  const { success, report: result, metadata } = report;
  return { success, result, metadata: { ...metadata, query: metadata.topic } } as SearchReport;
}

function fail(failure: Failure, { json }: OutputOptions, { stdout, stderr, env }: Io): number {
  if (json) stdout.write(jsonText(failedAnswer(failure)));
  else stderr.write(failureText(failure, screenOf(stderr, env)));
  return exitCodeOf(failure.code);
}
