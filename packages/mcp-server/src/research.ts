import type { GeminiRunner } from "@x/gemini-runner";
import type {
  DeepResearchRequest,
  DeepResearchRun,
  DeepSearchRequest,
  DeepSearchRun,
  ResearchDeps,
  SearchRequest,
  SearchRun,
} from "@x/research";
import type { Config } from "./config.js";
import type { Log } from "./log.js";

/** The three researches, with everything they need behind them. */
export interface Research {
  search(request: SearchRequest): SearchRun;
  /** `resume`: the id of a research whose finished rounds are not run again. */
  deepSearch(request: DeepSearchRequest, options?: { resume?: string }): DeepSearchRun;
  deepResearch(request: DeepResearchRequest): DeepResearchRun;
}

/** {@link Research} made from the settings, and its parts. */
export interface ResearchParts extends Research {
  deps: ResearchDeps;
  runner: GeminiRunner;
  /** Ends every run and waits until its process is gone. */
  close(): Promise<void>;
}

/** Wires the CLI's runner, the prompts, the scratch files and the store of finished rounds. Starts no process. */
export async function createResearch(config: Config, log: Log): Promise<ResearchParts> {
  const runner: GeminiRunner = await createRunner(config, log);
  const deps: ResearchDeps = {
    runner,
    prompts: { search: "", deepSearch: "", verify: "", correction: "", research: "" },
    ...(config.model === undefined ? {} : { model: config.model }),
    ...(config.correctionModel === undefined ? {} : { correctionModel: config.correctionModel }),
    attempts: config.attempts,
  };
  const notYet = () => {
    throw new Error("The research is not wired yet.");
  };
  return { search: notYet, deepSearch: notYet, deepResearch: notYet, deps, runner, close: () => runner.close() };
}

async function createRunner(_config: Config, _log: Log): Promise<GeminiRunner> {
  throw new Error("The runner is not wired yet.");
}
