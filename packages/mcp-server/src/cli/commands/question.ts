import { type Command, Option } from "commander";
import { defined } from "../../host/defined.js";
import type { Io } from "../../host/io.js";
import type { JobRequest, JobTool } from "../../jobs/job-record.js";
import type { OutputOptions } from "../research/output.js";
import type { Which } from "../research/which.js";
import { duration, list, severalTexts, wholeNumber } from "./option-values.js";
import { addOutputOptions } from "./output-options.js";

/** What is asked, beside the question itself. */
export interface QuestionOptions extends OutputOptions {
  rounds?: number;
  model?: string;
  fallbackModel?: string[];
  allow?: string[];
  block?: string[];
  recency?: string;
  language?: string;
  maxRuns?: number;
  maxTime?: number;
  maxTokens?: number;
  requireEvidence?: number;
  file?: string[];
  dir?: string[];
  /** A file with a JSON Schema. */
  schema?: string;
  /** `false` with `--no-web`. */
  web?: boolean;
  /** A plan is made, and nothing is researched. */
  plan?: boolean;
  /** A file with a plan. */
  planFile?: string;
}

/** The question and the options that every research has; `more` stand before them. */
export function addQuestion(command: Command, more: readonly Option[] = []): Command {
  command.argument(
    "<question...>",
    "the question; `-` reads it from stdin. Text that is piped in beside a question is material for the answer",
  );
  return addQuestionOptions(command, more);
}

/** The options that every research has; `more` stand before them. */
export function addQuestionOptions(command: Command, more: readonly Option[] = []): Command {
  command.optionsGroup("What is asked:");
  for (const option of more) command.addOption(option);
  command
    .option("-m, --model <name>", "Gemini model (default: GEMINI_MODEL, else the CLI's choice)")
    .addOption(
      new Option(
        "--fallback-model <name>",
        "model to ask when the quota of the minute is used up (repeatable)",
      ).argParser(list),
    )
    .addOption(new Option("--allow <domain>", "only this domain and those below it (repeatable)").argParser(list))
    .addOption(new Option("--block <domain>", "not this domain (repeatable)").argParser(list))
    .addOption(new Option("--recency <time>", "how old pages may be").choices(["day", "week", "month", "year"]))
    .option("--language <name>", "language of the report (default: the question's)")
    .addOption(new Option("--max-runs <n>", "stop after this many runs of Gemini CLI").argParser(wholeNumber(1)))
    .addOption(
      new Option(
        "--max-time <time>",
        "stop after this time, such as 90s or 10m, with the best answer so far",
      ).argParser(duration),
    )
    .addOption(
      new Option("--max-tokens <n>", "stop after this many tokens of all models together").argParser(wholeNumber(1)),
    );
  command
    .addOption(
      new Option("--file <path>", "read this document of your own, too: text, PDF, HTML … (repeatable)").argParser(
        severalTexts,
      ),
    )
    .addOption(
      new Option(
        "--dir <folder>",
        "read all documents in this folder, too, or those of a glob such as `notes/**/*.md` (repeatable)",
      ).argParser(severalTexts),
    )
    .option("--no-web", "search and read only these documents, not the web")
    .option("--schema <file>", "also give data in the shape of this JSON Schema, each value with its proof")
    .option("--plan", "only show what would be searched, and about what it would cost")
    .option("--plan-file <file>", "search what this plan says: the JSON of --plan --json, changed or not");
  return addOutputOptions(command)
    .option("--notify", "ring, and notify the desktop, when it has ended")
    .addOption(
      new Option(
        "--require-evidence <percent>",
        "exit with 7 unless so many per cent of the claims are proven; rounds go on until then",
      ).argParser(wholeNumber(0, 100)),
    );
}

/** Asks, follows the research to its end and gives out the report. Gives the exit code. */
export async function ask(
  tool: Extract<JobTool, "search" | "deep_search">,
  { words, options }: { words: readonly string[]; options: QuestionOptions },
  io: Io,
): Promise<number> {
  const { asking, runResearch } = await import("../research/run-research.js");
  return runResearch(asking(tool, await requestOf(await questionOf(words, io), options, io)), options, io);
}

/** The question in words; `-` is what stdin says, and what stdin says beside a question is material for it. */
async function questionOf(words: readonly string[], { stdin, signal }: Pick<Io, "stdin" | "signal">): Promise<string> {
  const { readAll, readBeside, withContext } = await import("../research/read-stdin.js");
  const isPiped = words.length === 1 && words[0] === "-";
  const query = isPiped
    ? await readAll(stdin, signal)
    : withContext(words.join(" ").trim(), await readBeside(stdin, signal));
  return query.trim();
}

/** Asks on from an earlier research. Gives the exit code. */
export async function askOn(
  {
    words,
    last,
    as,
  }: { words: readonly string[]; last?: boolean | undefined; as?: "search" | "deep-search" | undefined },
  options: QuestionOptions,
  io: Io,
): Promise<number> {
  if (!last && words.length < 2) throw whichAndWhat(io);
  const { askingOn, runResearch } = await import("../research/run-research.js");
  const [id, question] = last ? [undefined, words] : [words[0], words.slice(1)];
  const query = await questionOf(question, io);
  const tool = as === undefined ? undefined : as === "search" ? "search" : "deep_search";
  const request = await requestOf(query, options, io);
  return runResearch(askingOn({ id, last }, { tool, request }, io.command), options, io);
}

function whichAndWhat({ command }: Pick<Io, "command">): Error {
  const examples = ["--last", "2f37"].map((which) => `${command} ask ${which} "And for how long is it safe?"`);
  return Object.assign(new Error("Which research, and what is the question?"), {
    code: "INVALID_INPUT",
    details: ["For example:", ...examples].join("\n"),
  });
}

/** Asks an earlier question anew, and tells what became of its claims. Gives the exit code. */
export async function refresh(which: Which, options: QuestionOptions, io: Io): Promise<number> {
  const { refreshing, runResearch } = await import("../research/run-research.js");
  const { query: _, ...changes } = await requestOf("", options, io);
  return runResearch(refreshing(which, changes, io.command), options, io);
}

/** Asks an earlier question again, with what is given now in the place of what was given then. Gives the exit code. */
export async function askAgain(which: Which, options: QuestionOptions, io: Io): Promise<number> {
  const { askingAgain, runResearch } = await import("../research/run-research.js");
  const { query: _, ...changes } = await requestOf("", options, io);
  return runResearch(askingAgain(which, changes, io.command), options, io);
}

async function requestOf(
  query: string,
  options: QuestionOptions,
  io: Pick<Io, "host" | "signal">,
): Promise<JobRequest> {
  const {
    model,
    rounds,
    fallbackModel,
    allow,
    block,
    recency,
    language,
    maxRuns,
    maxTime,
    maxTokens,
    requireEvidence,
    file = [],
    dir = [],
    schema,
    web,
    plan,
    planFile,
  } = options;
  const { ownDocuments } = await import("../research/own-documents.js");
  const files = await ownDocuments({ files: file, folders: dir }, io.host);
  const { readJsonFile, readPlanFile } = await import("../research/read-json-file.js");
  return defined({
    query,
    model,
    maxRounds: rounds,
    fallbackModels: fallbackModel,
    filters: whole(defined({ allowedDomains: allow, blockedDomains: block, recency, language })),
    requireEvidence,
    files: files.length > 0 ? files : undefined,
    outputSchema: schema === undefined ? undefined : await readJsonFile("--schema", schema, io),
    web: web === false ? false : undefined,
    planOnly: plan,
    plan: planFile === undefined ? undefined : await readPlanFile("--plan-file", planFile, io),
    budget: whole(defined({ maxRuns, maxDurationMs: maxTime, maxTokens })),
  });
}

function whole<T extends object>(object: T): T | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}
