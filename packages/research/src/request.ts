/** What a caller asks for. */

/** Limits on the sources that an answer may use, on their age, and the language of the report. */
export interface Filters {
  /** Uses only pages of these domains and of those below them, as `["iana.org"]`. Default: any. */
  allowedDomains?: readonly string[];
  /** Uses no page of these domains and of those below them. Default: none. */
  blockedDomains?: readonly string[];
  /** Uses only pages of the last day, week, month or year. Default: of any time. */
  recency?: "day" | "week" | "month" | "year";
  /** Language of the report, as a BCP 47 tag or a name in words. Default: that of the question. */
  language?: string;
}

/** What a research may cost. When one limit is reached, the answer is the best so far and says that it is partial. */
export interface Budget {
  /** Runs of the CLI at most, corrections included. Default: no limit. */
  maxRuns?: number;
  /** Milliseconds at most for the whole research. Default: no limit. */
  maxDurationMs?: number;
  /** Tokens of all models together at most. Default: no limit. */
  maxTokens?: number;
}

/** Documents of one's own: a file, a folder, or what a glob finds in one. Nothing outside of the folder is read. */
export interface DocumentSource {
  /** Absolute path of a folder, or of one file. */
  root: string;
  /** What is meant in the folder: a name, or a glob such as `*.{md,pdf}`. Default: all in it. */
  glob?: string;
}

/** What a research is to search, as `planResearch` proposes it and a person may change it. */
export interface ResearchPlan {
  /** What the answer must cover, at most 20, each one line of at most 500 characters. Default: what the question says. */
  aspects?: readonly string[];
  /**
   * What is searched: exactly one query for a search, 1 to 20 for the first round of a deep search. Each is one line of at
   * most 500 characters.
   */
  queries: readonly string[];
}

/** What `search` and `deepSearch` both take. */
export interface ResearchOptions {
  /** Name or alias of the model, as `--model` takes it. Default: that of the dependencies, else the CLI's own choice. */
  model?: string;
  /** Models that are asked instead, in order, on a minute's quota or an unknown model. Default: none. */
  fallbackModels?: readonly string[];
  /** Limits on the sources. Default: none. */
  filters?: Filters;
  /** Limits on the cost. Default: none. */
  budget?: Budget;
  /** Documents that are searched and read beside the web, at most 20,000; they need `pages`. Default: none. */
  files?: readonly DocumentSource[];
  /** Whether the web is searched and read. Default `true`; without it there must be `files`. */
  web?: boolean;
  /**
   * Per cent of the claims that must be proven, 0 to 100: the rounds of a deep search go on until they are, or until the
   * last is done. Default: the model's word ends the rounds.
   */
  requireEvidence?: number;
  /**
   * JSON Schema (draft 7 or 2020-12, at most 50,000 characters) of a value that is wanted beside the report, as `data`.
   * `metadata.data_proof` names the claim and the quotation that carry each of its leaves. Default: none is wanted.
   */
  outputSchema?: object;
  /**
   * What is searched, and nothing else: in a search, or in the first round of a deep search, which later rounds verify by
   * searches of their own. `metadata.plan` says what became of it. Default: the model decides.
   */
  plan?: ResearchPlan;
  /**
   * Id of an earlier research, as its `research-start` event told: its report, its claims and the pages that it kept are
   * where this one starts from. Needs `store`; with `pageStore`, pages that were kept are not fetched again. Default: none.
   */
  followUpOf?: string;
  /**
   * Id of an earlier research of the same question: it is researched anew, from pages as they are now, and
   * `metadata.changes` says what became of its claims. Needs `store`. Together with `followUpOf`, the question of a follow-up is researched anew.
   * Default: none.
   */
  refreshOf?: string;
  /** Ends the research with `CANCELLED` when it is aborted. */
  signal?: AbortSignal;
}

/** What `search` is asked. */
export interface SearchRequest extends ResearchOptions {
  /** The question in words: 1 to 1,000,000 characters. */
  query: string;
}

/** What a deep search takes besides the question. */
interface DeepSearchOptions extends ResearchOptions {
  /** Rounds at most. Default 5; below 2 counts as 2. */
  maxRounds?: number;
}

/** What `deepSearch` is asked: a new research, or one that goes on after its last finished round. */
export type DeepSearchRequest =
  | (DeepSearchOptions & {
      /** The question in words: 1 to 1,000,000 characters. */
      query: string;
      resume?: undefined;
    })
  | (DeepSearchOptions & {
      /** Id of the research, as its `research-start` event told. What is not said anew stays as it was. */
      resume: string;
      /** The question of that research; another one is refused. */
      query?: string;
    });

/** What `planResearch` is asked: a question as `search` or `deepSearch` would be asked it. */
export interface PlanRequest
  extends Pick<
    ResearchOptions,
    "model" | "fallbackModels" | "filters" | "budget" | "followUpOf" | "refreshOf" | "signal"
  > {
  /** The question in words: 1 to 1,000,000 characters. */
  query: string;
  /** What the plan is for. */
  kind: "search" | "deep-search";
  /** Rounds at most, of a deep search. Default 5; below 2 counts as 2. */
  maxRounds?: number;
  /** What earlier researches of this kind have cost: the estimate is made from at most 100 of them. Default: none is known. */
  past?: readonly PastResearch[];
}

/** What a research has cost, as its metadata says. */
export interface PastResearch {
  /** Rounds that ran. Default 1. */
  rounds?: number;
  /** Runs of the CLI. */
  runs: number;
  /** Tokens of all models; 0: they are not known. */
  total_tokens: number;
  /** Milliseconds. */
  duration_ms: number;
}

/** What `deepResearch` is asked. */
export interface DeepResearchRequest {
  /** The topic in words. */
  topic: string;
  /** How much the report says. Default `detailed`. */
  depth?: "concise" | "detailed";
  /** Name or alias of the model. Default: that of the dependencies, else the CLI's own choice. */
  model?: string;
  /** Ends the research with `CANCELLED` when it is aborted. */
  signal?: AbortSignal;
}
