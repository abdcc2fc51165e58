import type { Command } from "commander";
import type { CommandParts } from "./command-parts.js";
import { addQuestion, ask, type QuestionOptions } from "./question.js";

export function addSearch(program: Command, { io, exitWith }: CommandParts): void {
  addQuestion(program.command("search").description("answer a question from the web, in one round")).action(
    async (words: string[], options: QuestionOptions) => exitWith(await ask("search", { words, options }, io)),
  );
}
