import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { PROGRAM } from "../host/command-name.js";
import { MIN_ROUNDS } from "../host/config.js";
import { defined } from "../host/defined.js";
import type { Io } from "../host/io.js";
import { VERSION } from "../host/version.js";
import type { JobRequest } from "../jobs/job-record.js";
import { durationMs } from "../text/duration.js";
import type { Shell } from "./completion.js";
import { EXIT_CODES_HELP } from "./exit-codes.js";
import type { OutputOptions } from "./research-command.js";
import { CLIENTS, type ClientName } from "./setup/clients.js";

interface QuestionOptions extends OutputOptions {
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
}

/** Bytes of a question on stdin: more than the research takes, which then says so. */
const LONGEST_STDIN = 4_000_000;

const examples = (command: string) => `Examples:
  ${command} search "Which Node.js versions are supported today?"
  ${command} deep-search "Is fasting healthy?" --rounds 3 --html report.html
  ${command} search - --json < question.txt | jq -r .result
  ${command} setup claude-code

Without a command it serves MCP on stdin and stdout, as a client starts it.
`;

/** The commands. What they do is loaded when one of them runs. */
export function createProgram(io: Io, exitWith: (code: number) => void): Command {
  const { command: called } = io;
  const program = new Command(called)
    .description("Checked web research through your own Gemini CLI, for the terminal and for every MCP client.")
    .version(VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => Math.min(io.stdout.columns || 80, 100),
      getErrHelpWidth: () => Math.min(io.stderr.columns || 80, 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError(`\`${called} --help\` and \`${called} <command> --help\` show how it is used.`)
    .exitOverride()
    .addHelpText("after", `\n${examples(called)}\n${EXIT_CODES_HELP}\n`);

  program.commandsGroup("Research:");
  const search = question(program.command("search"), "answer a question from the web, in one round");
  search.action(async (words: string[], options: QuestionOptions) => exitWith(await ask("search", words, options)));
  const rounds = new Option("-r, --rounds <n>", "most rounds, at least 2 (default: 5 or DEEP_SEARCH_MAX_ITERATIONS)");
  const deep = question(program.command("deep-search"), "research a question in rounds that check each other", [
    rounds.argParser(atLeast(MIN_ROUNDS)),
  ]).option("--require-verified", "exit with 7 when the report could not be verified");
  deep.action(async (words: string[], options: QuestionOptions) => exitWith(await ask("deep_search", words, options)));
  output(program.command("resume").argument("<id>", `from \`${called} list\``))
    .description("go on with a research that was stopped, or show a finished one")
    .option("--require-verified", "exit with 7 when the report could not be verified")
    .action(async (id: string, options: OutputOptions) => {
      const { resuming, runResearch } = await import("./research-command.js");
      exitWith(await runResearch(resuming(id, called), options, io));
    });
  program
    .command("list")
    .description("list researches, the newest first")
    .addOption(new Option("-n, --limit <n>", "how many").argParser(atLeast(1)).default(20))
    .option("--json", "print JSON")
    .option("--ids", "print the ids alone")
    .action(async (options: { limit: number; json?: boolean; ids?: boolean }) => {
      const { listResearches } = await import("./list-command.js");
      exitWith(await listResearches(options, io));
    });

  program.commandsGroup("Installation:");
  program
    .command("doctor")
    .description("check what research needs: Node.js, the CLI, the sign-in, the settings")
    .option("--live", "also ask the model one short question")
    .option("--json", "print JSON")
    .action(async (options: { live?: boolean; json?: boolean }) => {
      const { runDoctor } = await import("./doctor-command.js");
      exitWith(await runDoctor(options, io));
    });
  program
    .command("setup")
    .description("put the server into the configuration of MCP clients")
    .addArgument(new Argument("[client...]", "which clients").choices(CLIENTS))
    .option("--print", "print the configuration instead of writing it")
    .option("--project", "for the project in the current folder instead of for you")
    .addOption(
      new Option("--env <NAME=VALUE>", "a variable for the server (repeatable)")
        .argParser(variables)
        .default({}, "none"),
    )
    .option("-y, --yes", "do not ask before writing")
    .action(
      async (
        names: ClientName[],
        options: { print?: boolean; project?: boolean; yes?: boolean; env: Record<string, string> },
      ) => {
        const { setUp } = await import("./setup-command.js");
        exitWith(await setUp(names, options, io));
      },
    );

  program.commandsGroup("Server:");
  program
    .command("http")
    .description("serve MCP over HTTP, on 127.0.0.1:3000 unless configured")
    .allowUnknownOption()
    .argument("[options...]")
    .action(async (_rest: string[], _options: object, command: Command) => {
      const { serveHttp } = await import("../transports/http.js");
      exitWith(await serveHttp(command.args, io));
    });
  program.commandsGroup("Installation:");
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: Shell) => {
      const { completionScript } = await import("./completion.js");
      io.stdout.write(completionScript(shell, PROGRAM, program.commands));
      if (called !== PROGRAM)
        io.stderr.write(`This completes \`${PROGRAM}\`, once it is installed: npm install -g @x/mcp-server\n`);
    });
  return program;

  async function ask(tool: "search" | "deep_search", words: string[], options: QuestionOptions): Promise<number> {
    const { asking, runResearch } = await import("./research-command.js");
    const query = words.length === 1 && words[0] === "-" ? await readAll(io.stdin) : words.join(" ");
    return runResearch(asking(tool, requestOf(query.trim(), options)), options, io);
  }
}

function question(command: Command, description: string, more: readonly Option[] = []): Command {
  command.description(description).argument("<question...>", "the question; `-` reads it from stdin");
  command.optionsGroup("What is asked:");
  for (const option of more) command.addOption(option);
  command
    .option("-m, --model <name>", "Gemini model (default: GEMINI_MODEL, else the CLI's choice)")
    .addOption(
      new Option(
        "--fallback-model <name>",
        "model to ask instead when the quota of a minute is used up (repeatable)",
      ).argParser(list),
    )
    .addOption(new Option("--allow <domain>", "only this domain and what is below it (repeatable)").argParser(list))
    .addOption(new Option("--block <domain>", "not this domain (repeatable)").argParser(list))
    .addOption(new Option("--recency <time>", "only pages of the last").choices(["day", "week", "month", "year"]))
    .option("--language <name>", "language of the report (default: the question's)")
    .addOption(new Option("--max-runs <n>", "most runs of the CLI").argParser(atLeast(1)))
    .addOption(
      new Option("--max-time <time>", "longest time, such as 90s or 10m; then the best so far").argParser(duration),
    )
    .addOption(new Option("--max-tokens <n>", "most tokens of all models together").argParser(atLeast(1)));
  return output(command);
}

function output(command: Command): Command {
  command.optionsGroup("What comes back:");
  return command
    .option("--json", "print the report as JSON")
    .option("-o, --out <file>", "also write the report as Markdown")
    .option("--html <file>", "also write the report as one HTML page")
    .option("-q, --quiet", "show no progress");
}

function requestOf(query: string, options: QuestionOptions): JobRequest {
  const { model, rounds, fallbackModel, allow, block, recency, language, maxRuns, maxTime, maxTokens } = options;
  return defined({
    query,
    model,
    maxRounds: rounds,
    fallbackModels: fallbackModel,
    filters: whole(defined({ allowedDomains: allow, blockedDomains: block, recency, language })),
    budget: whole(defined({ maxRuns, maxDurationMs: maxTime, maxTokens })),
  });
}

function whole<T extends object>(object: T): T | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}

function atLeast(min: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < min)
      throw new InvalidArgumentError(`A whole number of ${min} and more is expected.`);
    return number;
  };
}

/** `a,b`, or the option several times. */
function list(text: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ];
}

function duration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined || ms < 1_000) throw new InvalidArgumentError("A time such as 90s, 10m or 1h is expected.");
  return ms;
}

function variables(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("NAME=VALUE is expected.");
  return { ...before, [name]: value };
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > LONGEST_STDIN) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}
