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
import { addHelp } from "./commands/help.js";
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
import { EXAMPLES } from "./examples.js";
import { PlainCommand } from "./plain-command.js";

type AddCommand = (program: PlainCommand, parts: CommandParts) => void;

/** As the help lists them. */
const GROUPS: readonly (readonly [string, readonly AddCommand[]])[] = [
  ["Research:", [addSearch, addDeepSearch, addAsk, addAgain, addRefresh, addResume, addCancel]],
  ["Reports:", [addList, addShow, addOpen, addWeb, addExport, addEvidence, addVerify, addDelete, addClear]],
  ["Installation and help:", [addSetup, addAuth, addModels, addConfig, addDoctor, addCompletion, addHelp]],
  ["Server:", [addHttp, addWorker, addToken]],
];

const examples = (command: string) => `Examples:
${EXAMPLES.map((example) => `  ${command} ${example}`).join("\n")}

Without a command it serves MCP on stdin and stdout, as a client starts it.
`;

/** The commands. What they do is loaded when one of them runs. */
export function createProgram(parts: CommandParts): PlainCommand {
  const { io } = parts;
  const { command: called } = io;
  const program = new PlainCommand(called);
  program
    .description("Checked web research through your own Gemini CLI, for the terminal and for every MCP client.")
    .version(VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureOutput(outputOf(io))
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

/** Where the parser writes. */
function outputOf({ stdout, stderr }: Io) {
  return {
    writeOut: (text: string) => stdout.write(text),
    writeErr: (text: string) => stderr.write(stderr.isTTY ? wrapped(text, stderr) : text),
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}
