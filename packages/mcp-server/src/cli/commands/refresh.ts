import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { roundsOption } from "./deep-search.js";
import { addRequireVerified } from "./output-options.js";
import { addQuestionOptions, type QuestionOptions, refresh } from "./question.js";
import { addWhich } from "./which-argument.js";

export function addRefresh(program: Command, { io, exitWith }: CommandParts): void {
  const command = addWhich(
    program.command("refresh").description("research an earlier question anew, and say what has changed since"),
    io,
  );
  addRequireVerified(addQuestionOptions(command, [roundsOption()])).action(
    async (id: string | undefined, { last, ...options }: QuestionOptions & { last?: boolean }) =>
      exitWith(await refresh({ id, last }, options, io)),
  );
}
