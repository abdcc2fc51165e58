import { type Command, Option } from "commander";
import { MAX_ROUNDS, MIN_ROUNDS } from "../../host/settings.js";
import type { CommandParts } from "./command-parts.js";
import { wholeNumber } from "./option-values.js";
import { addRequireVerified } from "./output-options.js";
import { addQuestion, ask, type QuestionOptions } from "./question.js";

export function roundsOption(): Option {
  return new Option(
    "-r, --rounds <n>",
    `at most this many rounds, ${MIN_ROUNDS} to ${MAX_ROUNDS} (default: DEEP_SEARCH_MAX_ITERATIONS, else 5)`,
  ).argParser(wholeNumber(MIN_ROUNDS, MAX_ROUNDS));
}

export function addDeepSearch(program: Command, { io, exitWith }: CommandParts): void {
  const command = program.command("deep-search").description("research a question in rounds that check each other");
  addRequireVerified(addQuestion(command, [roundsOption()])).action(async (words: string[], options: QuestionOptions) =>
    exitWith(await ask("deep_search", { words, options }, io)),
  );
}
