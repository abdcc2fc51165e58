import { Command } from "commander";
import { exitCodesHelp } from "../host/exit-codes.js";
import type { Io } from "../host/io.js";
import { VERSION } from "../host/version.js";
import { addAgain } from "./commands/again.js";
import { addAsk } from "./commands/ask.js";
import { addAuth } from "./commands/auth.js";
import { addCancel } from "./commands/cancel.js";
import { addClear } from "./commands/clear.js";
import type { CommandParts } from "./commands/command-parts.js";
import { addCompletion } from "./commands/completion.js";
import { addConfig } from "./commands/config.js";
import { addDeepSearch } from "./commands/deep-search.js";
import { addDelete } from "./commands/delete.js";
import { addDoctor } from "./commands/doctor.js";
import { addEvidence } from "./commands/evidence.js";
import { addExport } from "./commands/export.js";
import { helpWidth, wrapped } from "./commands/help-text.js";
import { addHttp } from "./commands/http.js";
import { addList } from "./commands/list.js";
import { addModels } from "./commands/models.js";
import { addOpen } from "./commands/open.js";
import { addRefresh } from "./commands/refresh.js";
import { addResume } from "./commands/resume.js";
import { addSearch } from "./commands/search.js";
import { addSetup } from "./commands/setup.js";
import { addShow } from "./commands/show.js";
import { addToken } from "./commands/token.js";
import { addVerify } from "./commands/verify.js";
import { addWeb } from "./commands/web.js";
import { addWorker } from "./commands/worker.js";
import { inPlainWords, suggestionFor } from "./suggestions.js";

type AddCommand = (program: Command, parts: CommandParts) => void;

const HELP = "Installation and help:";

/** As the help lists them. */
const GROUPS: readonly (readonly [string, readonly AddCommand[]])[] = [
  ["Research:", [addSearch, addDeepSearch, addAsk, addAgain, addRefresh, addResume, addCancel]],
  ["Reports:", [addList, addShow, addOpen, addWeb, addExport, addEvidence, addVerify, addDelete, addClear]],
  [HELP, [addSetup, addAuth, addModels, addConfig, addDoctor, addCompletion]],
  ["Server:", [addHttp, addWorker, addToken]],
];

const examples = (command: string) => `Examples:
  ${command} search "Which Node.js versions are supported today?"
  ${command} deep-search "Is fasting healthy?" --rounds 3 --html report.html
  ${command} ask --last "And for how long is it safe?"
  ${command} search - --json < question.txt | jq -r .result
  ${command} open --last
  ${command} setup claude-code

Without a command it serves MCP on stdin and stdout, as a client starts it.
`;

/** The commands. What they do is loaded when one of them runs. */
export function createProgram(parts: CommandParts): Command {
  const { io } = parts;
  const { command: called } = io;
  const program = new Command(called);
  program
    .description("Checked web research through your own Gemini CLI, for the terminal and for every MCP client.")
    .version(VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpCommand(
      new Command("help").argument("[command]").description("print the help of a command").helpGroup(HELP),
    )
    .configureOutput(outputOf(io, (error) => suggestionFor(error, program)))
    .showHelpAfterError(`\`${called} --help\` and \`${called} <command> --help\` show how it is used.`)
    .exitOverride()
    // A description is broken between words in a narrow window, too.
    .configureHelp({ minWidthToWrap: 12 })
    .addHelpText("after", () => {
      const codes = exitCodesHelp(helpWidth(io.stdout));
      return `\n${wrapped(examples(called), io.stdout)}\n${codes}\n`;
    });
  for (const [title, commands] of GROUPS) {
    program.commandsGroup(title);
    for (const add of commands) add(program, parts);
  }
  return program;
}

/** Where the parser writes, and what it adds to an error. */
function outputOf({ stdout, stderr }: Io, suggest: (error: string) => string | undefined) {
  return {
    writeOut: (text: string) => stdout.write(text),
    writeErr: (text: string) => stderr.write(stderr.isTTY ? wrapped(text, stderr) : text),
    outputError(text: string, write: (text: string) => void) {
      const suggestion = suggest(text);
      // Its own guess is not needed where it is known.
      write(
        suggestion === undefined
          ? inPlainWords(text)
          : `${text.replace(/\n\(Did you mean [^\n]*\)/, "").trimEnd()}\n${suggestion}\n`,
      );
    },
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}
