import { Command } from "commander";
import { inPlainWords } from "./plain-words.js";

/** A command that tells what is wrong with its line as every other failure is told. */
export class PlainCommand extends Command {
  override createCommand(name?: string): PlainCommand {
    return new PlainCommand(name);
  }

  override error(message: string): never {
    const { problem, advice } = inPlainWords(message, this);
    throw Object.assign(new Error(problem), { code: "INVALID_INPUT", details: advice.join("\n") });
  }
}
