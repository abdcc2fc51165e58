/** What research answers with: the shapes of the contract. */

/** The answer of `search`. */
export interface SearchReport {
  /** Always `true`: a search that fails throws. */
  success: true;
  /** The report in Markdown, with citations. */
  result: string;
  /**
   * Where an output schema was given: a value that fits it, or `null`. Leaves that nothing proves are null where the schema
   * allows that.
   */
  data?: unknown;
  /** What is known of how the report came about. */
  metadata: SearchMetadata;
}

/** What is known of how a report came about. */
export interface SearchMetadata {
  /** Milliseconds for the whole research, waits included; all its parts together when it was resumed. */
  duration_ms: number;
  /** The question as it was asked. */
  query: string;
  /** The configured model; else the one that the CLI says it used; else `auto-detected`. */
  model: string;
  /** When the research ended, in ISO 8601. */
  timestamp: string;
  /** Pages that were read, and those that the answer lists and a search found; each once. */
  sources_visited?: string[];
  /** Searches that gave results, in order. */
  search_queries_used?: string[];
  /** Why the answer is not all that it should be, in one or two sentences. */
  note?: string;
  /** What a reader should know before trusting the report; missing when there is nothing. */
  warnings?: string[];
  /** `true`: the model did not keep to the asked form; `result` is its text as it stands, without claims. */
  unstructured?: true;
  /** `true`: a budget was used up before the work was done. */
  partial?: true;
  /** The model that was asked for (`null`: the CLI's own choice) and those that answered, when `model` does not say it all. */
  models?: { asked: string | null; answered: string[] };
  /** What could not be found, in the model's words. */
  gaps?: string[];
  /** What the research cost. */
  usage?: Usage;
  /** Which sources the research saw, and what that says of the report. */
  evidence?: Evidence;
  /** Of a research that follows another one: which, and what of it this report contradicts. */
  follow_up?: FollowUp;
  /** Of a research that renews another one: what became of its claims. */
  changes?: Changes;
  /** For each leaf of `data` that is proven, by its JSON Pointer: pointers into this answer. */
  data_proof?: Record<string, { claim: string; quote?: string }>;
  /** JSON Pointers of the leaves of `data` that nothing proves; an empty one is the whole. */
  missing?: string[];
  /** Of a research with a plan: what became of it. */
  plan?: PlanFacts;
  /** `true`: an answer that was given before. */
  cached?: true;
  [more: string]: unknown;
}

/** The research that another one follows. */
export interface FollowUp {
  /** Its id. */
  of: string;
  /** What was asked. */
  query: string;
  /** When it ended, in ISO 8601; missing when it is not known. */
  at?: string;
  /** Claims of the earlier report and of this one that give different values for the same. */
  contradicts: { was: string; is: string; values: [string, string] }[];
}

/** What became of the claims of an earlier report. They are compared by their words: what is said in other words counts as changed, or as new. */
export interface Changes {
  /** Id of the earlier research. */
  of: string;
  /** When it ended, in ISO 8601; missing when it is not known. */
  at?: string;
  /** Claims of this report that the earlier one has not. */
  added: string[];
  /** Claims of the earlier report that this one has not. */
  gone: string[];
  /** Claims on the same that say something else now, with the values where they contradict each other. */
  changed: { was: string; is: string; values?: [string, string] }[];
  /** How many claims say the same as before. */
  same: number;
}

/** What became of the plan of a research. */
export interface PlanFacts {
  /** As the plan says. */
  aspects: readonly string[];
  /** As the plan says. */
  queries: readonly string[];
  /** Of them those that no search has; missing when all were searched, and when what was searched is not known. */
  not_searched?: string[];
  /** What was searched where only the plan should be; missing when there is nothing. */
  beside?: string[];
}

/** The answer of `planResearch`: what would be searched, and about what it would cost. Nothing has been searched. */
export interface PlanReport {
  /** Always `true`: a plan that cannot be made throws. */
  success: true;
  /** Plan and estimate in Markdown. */
  result: string;
  /** The plan, which `search` and `deepSearch` take, changed or not. */
  plan: { aspects: string[]; queries: string[] };
  /** What is known of how the plan came about; `usage` is what the plan itself cost. */
  metadata: SearchMetadata & { estimate: Estimate };
}

/** About what a research costs. */
export interface Estimate {
  /** Earlier researches that it is made from; with 0 it says no more than the number of rounds. */
  researches: number;
  /** Runs of the CLI. */
  runs: EstimatedRange;
  /** Tokens of all models; missing when no earlier research tells them. */
  total_tokens?: EstimatedRange;
  /** Milliseconds; missing when there is no earlier research. */
  duration_ms?: EstimatedRange;
}

/** From the cheapest that is likely to the dearest, with all rounds. */
export interface EstimatedRange {
  /** As the cheapest round of earlier researches, with the fewest rounds. */
  low: number;
  /** As the one in the middle; missing when there is no earlier research. */
  typical?: number;
  /** As the dearest round of earlier researches, with all rounds. */
  high: number;
}

/** What a research has cost. */
export interface Usage {
  /** Runs of the CLI, corrections included. */
  runs: number;
  /** Tokens that the models were given. */
  input_tokens: number;
  /** Tokens that the models wrote. */
  output_tokens: number;
  /** All tokens, thoughts and tools included. */
  total_tokens: number;
  /** Milliseconds; all parts together when the research was resumed. */
  duration_ms: number;
}

/** The answer of `deepSearch`. */
export interface DeepSearchReport {
  /** Always `true`: a deep search without a result throws. */
  success: true;
  /** The best report of all rounds in Markdown, with citations. */
  result: string;
  /** Whether the model said that it verified the report: its own word. */
  verified: boolean;
  /** As in {@link SearchReport}. */
  data?: unknown;
  /** What is known of how the report came about. */
  metadata: DeepSearchMetadata;
}

/** What is known of how the report of several rounds came about. */
export interface DeepSearchMetadata extends SearchMetadata {
  /** Rounds that ran, failed ones included. */
  iterations: number;
  /** The union over all rounds, in order, each page once. */
  sources_visited: string[];
  /** The union over all rounds, in order, each query once. */
  search_queries_used: string[];
  /** One entry a round, in order. */
  rounds?: RoundMetadata[];
}

/** What one round did. */
export interface RoundMetadata {
  /** Counts from 1. */
  round_number: number;
  /** Pages that the round read, and those that its answer lists and a search found. */
  sources_visited: string[];
  /** Searches of the round that gave results, in order. */
  search_queries: string[];
  /** The first words of the round's report: at most 301 characters. */
  intermediate_result_summary: string;
  /** Whether the round said that it verified the report: the model's own word. Missing when the round failed. */
  verified?: boolean;
  /** Why the report before was kept instead of this round's. */
  set_aside?: string;
  /** Why the round gave nothing. */
  error?: { code: string; message: string };
  [more: string]: unknown;
}

/** The answer of `deepResearch`, the older tool. */
export interface DeepResearchReport {
  /** Always `true`: a research that fails throws. */
  success: true;
  /** The report in Markdown. */
  report: string;
  /** What is known of how the report came about. */
  metadata: {
    /** Milliseconds for the whole research. */
    duration_ms: number;
    /** The topic as it was asked. */
    topic: string;
    /** How much was asked for. */
    depth: "concise" | "detailed";
    /** As in {@link SearchMetadata}. */
    model: string;
    /** When the research ended, in ISO 8601. */
    timestamp: string;
    /** As the model lists them. */
    sources_visited?: string[];
    /** As the model lists them. */
    search_queries_used?: string[];
    /** How often the model says it searched again. */
    iterations?: number;
  };
}

/**
 * What a program found out of a report, from the runs' own record and the bytes of the pages that were read. The claims and
 * their status are the model's; how far each is proven is computed.
 */
export interface Evidence {
  /** `unavailable`: the CLI gave no record of its searches, so nothing can be said. */
  status: "available" | "unavailable";
  /** Pages that were cited or read, in the order they were met. */
  sources: EvidenceSource[];
  /** Addresses that the answer cites and that stand nowhere in the runs. */
  unseen: string[];
  /** Share of the cited addresses that were seen: 0 to 1; `null` when none is cited. */
  citation_accuracy: number | null;
  /** Different hosts among the sources that are cited and seen. */
  independent_hosts: number;
  /** The statements that the answer rests on, each with its proof. */
  claims: EvidenceClaim[];
  /** Share of the claims whose proof is `quoted` or `attributed`: 0 to 1; `null` without claims. */
  proven: number | null;
  /** The share that was asked for, 0 to 1; missing when none was. */
  required?: number | undefined;
  /** Quoted claims that give different values for the same subject, unit and time, by their places in `claims`. */
  contradictions: { claims: [number, number]; values: [string, string] }[];
  /** Pages whose text is kept, so that every quotation can be checked again. */
  pages: EvidencePage[];
  /** Rounds that said `verified` without one search that gave results, or a look into documents of one's own. */
  unsupported_verifications: number[];
  [more: string]: unknown;
}

/** A page of a research. */
export interface EvidenceSource {
  /** Its address; behind a redirect link, that of the page where it is known. */
  url: string;
  /** Its title, or the name of its host, as the search gave it. */
  title?: string;
  /**
   * `quoted`: a claim's quotation stands there. `attributed`: Google names it for a claim's words. `retrieved`: the page was
   * read. `found`: a search named it.
   */
  status: "quoted" | "attributed" | "retrieved" | "found";
  /** Whether the answer cites it. */
  cited: boolean;
  /** `true`: seen by the research that this one follows, not by this one. */
  earlier?: true;
  [more: string]: unknown;
}

/** How far a claim is proven: by its own words on a page, by Google, or not at all. */
export type ClaimProof = "quoted" | "attributed" | "read" | "found" | "none";

/** A statement of the report. */
export interface EvidenceClaim {
  /** The statement in the model's words. */
  text: string;
  /** Addresses of its sources that were seen. */
  sources: string[];
  /** The model's judgement, but for `supported` without a source that was read, which becomes `unsupported`. */
  status: "supported" | "disputed" | "unsupported";
  /**
   * The best rung that the claim reaches. `quoted`: words of a page that was read, with all numbers, dates and names of the
   * claim. `attributed`: Google names sources for these words. `read`: a source was read, and does not hold a quotation.
   * `found`: a search named a source. `none`: no source was seen.
   */
  proof: ClaimProof;
  /** The quotations that the model gave for it, each looked for in the pages that were read. */
  quotes: EvidenceQuote[];
  /** Independent owners of the pages that carry it: registrable domains, pages of nearly the same text once. */
  owners: number;
  /** Numbers, units, years, dates and names of the claim that its quotations do not hold; missing when there are none. */
  missing?: string[];
}

/** A quotation of a claim, and what the pages say. */
export interface EvidenceQuote {
  /** The page: where the quotation was found, else the one that the model names. */
  url: string;
  /** The words as the model gave them. */
  text: string;
  /**
   * `exact`, `typography` (quotes, dashes, blanks), `loose` (case, marks of Markdown and of footnotes): on the named page.
   * `elsewhere`: on another page that was read. `altered`: the page says something else there. `not-found`: nowhere.
   */
  found: "exact" | "typography" | "loose" | "elsewhere" | "altered" | "not-found";
  /** What the page says there, in its own characters; for `altered` the true words. At most 2,000 characters. */
  passage?: string;
  /** The page of a PDF, from 1. */
  page?: number;
  /** The line of a file, from 1. */
  line?: number;
  /** Why it proves nothing though it may stand there: it is too short to tell anything, or longer than a quotation is. */
  unusable?: "too-short" | "too-short-parts" | "too-long";
}

/** A page whose text is kept. */
export interface EvidencePage {
  /** The address that was asked for. */
  url: string;
  /** The address behind redirects. */
  final_url: string;
  /** Hash of the bytes that were received: SHA-256 in hexadecimal. */
  sha256: string;
  /** Number of those bytes. */
  bytes: number;
  /** As the server said it. */
  content_type: string;
  /** When the page was received, in ISO 8601. */
  fetched_at: string;
}
