import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { roundsOption } from "./deep-search.js";
import { addRequireVerified } from "./output-options.js";
import { addQuestionOptions, askAgain, type QuestionOptions } from "./question.js";
import { addWhich } from "./which-argument.js";

export function addAgain(program: Command, { io, exitWith }: CommandParts): void {
  const command = addWhich(
    program.command("again").description("ask an earlier question again, with other filters, model or rounds"),
    io,
  );
  addRequireVerified(addQuestionOptions(command, [roundsOption()])).action(
    async (id: string | undefined, options: QuestionOptions & { last?: boolean }) =>
      exitWith(await askAgain({ id, last: options.last }, options, io)),
  );
}
