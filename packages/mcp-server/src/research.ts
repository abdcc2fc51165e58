import type { GeminiRunner } from "@x/gemini-runner";
import type { ResearchDeps } from "@x/research";
import type { Config } from "./config.js";
import type { Log } from "./log.js";

/** Everything a question is answered with, made from the settings. */
export interface Research {
  deps: ResearchDeps;
  runner: GeminiRunner;
  /** Ends every run and waits until its process is gone. */
  close(): Promise<void>;
}

/** Wires the CLI's runner, the prompts, the scratch files and the store of finished rounds. Starts no process. */
export async function createResearch(config: Config, log: Log, options: { pid: number }): Promise<Research> {
  const { createScratch } = await import("./scratch.js");
  const runner: GeminiRunner = await createRunner(config, log);
  const deps: ResearchDeps = {
    runner,
    prompts: { search: "", deepSearch: "", verify: "", correction: "", research: "" },
    ...(config.model === undefined ? {} : { model: config.model }),
    ...(config.correctionModel === undefined ? {} : { correctionModel: config.correctionModel }),
    attempts: config.attempts,
    scratch: createScratch(config.configDir, options),
  };
  return { deps, runner, close: () => runner.close() };
}

async function createRunner(_config: Config, _log: Log): Promise<GeminiRunner> {
  throw new Error("The runner is not wired yet.");
}
