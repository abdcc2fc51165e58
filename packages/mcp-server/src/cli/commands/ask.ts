import { type Command, Option } from "commander";
import type { CommandParts } from "./command-parts.js";
import { roundsOption } from "./deep-search.js";
import { addRequireVerified } from "./output-options.js";
import { addQuestionOptions, askOn, type QuestionOptions } from "./question.js";

interface AskOptions extends QuestionOptions {
  last?: boolean;
  as?: "search" | "deep-search";
}

export function addAsk(program: Command, { io, exitWith }: CommandParts): void {
  const command = program
    .command("ask")
    .description("ask a follow-up question: it begins with the report, claims and kept pages of a research")
    .usage("[options] <id|--last> <question...>")
    .argument(
      "<question...>",
      `the id of the research, or its beginning (\`${io.command} list\` shows it), unless --last is given; then the question`,
    )
    .option("-l, --last", "the research that was asked last");
  const as = new Option("--as <kind>", "how it is researched (default: as the earlier one)");
  addRequireVerified(addQuestionOptions(command, [as.choices(["search", "deep-search"]), roundsOption()])).action(
    async (words: string[], { last, as: kind, ...options }: AskOptions) =>
      exitWith(await askOn({ words, last, as: kind }, options, io)),
  );
}
