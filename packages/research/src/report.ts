/** What research answers with: the shapes of the contract. */

export interface SearchReport {
  success: true;
  /** Markdown with citations. */
  result: string;
  metadata: SearchMetadata;
}

export interface SearchMetadata {
  duration_ms: number;
  query: string;
  model: string;
  /** ISO 8601, at the end. */
  timestamp: string;
  sources_visited?: string[];
  search_queries_used?: string[];
  /** Why the answer is not all that it should be. */
  note?: string;
  /** What a reader should know before trusting it; missing when there is nothing. */
  warnings?: string[];
  /** `true`: the model did not keep to the asked form; `result` is its text as it stands, without claims. */
  unstructured?: true;
  /** `true`: a budget was used up before the work was done. */
  partial?: true;
  /** What was asked and what answered, when `model` does not say it all. */
  models?: { asked: string | null; answered: string[] };
  /** What could not be found, in the model's words. */
  gaps?: string[];
  /** What it cost. */
  usage?: Usage;
  evidence?: Evidence;
  /** `true`: an answer that was given before. */
  cached?: true;
  [more: string]: unknown;
}

/** What a research has cost. */
export interface Usage {
  /** Runs of the CLI, corrections included. */
  runs: number;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** All its parts together, when it was resumed. */
  duration_ms: number;
}

export interface DeepSearchReport {
  success: true;
  result: string;
  /** The model's own word. */
  verified: boolean;
  metadata: DeepSearchMetadata;
}

export interface DeepSearchMetadata extends SearchMetadata {
  iterations: number;
  sources_visited: string[];
  search_queries_used: string[];
  rounds?: RoundMetadata[];
}

export interface RoundMetadata {
  round_number: number;
  sources_visited: string[];
  search_queries: string[];
  intermediate_result_summary: string;
  /** The model's own word; missing when the round failed. */
  verified?: boolean;
  /** Why the report before was kept instead of this round's. */
  set_aside?: string;
  /** Why the round gave nothing. */
  error?: { code: string; message: string };
  [more: string]: unknown;
}

export interface DeepResearchReport {
  success: true;
  report: string;
  metadata: {
    duration_ms: number;
    topic: string;
    depth: "concise" | "detailed";
    model: string;
    timestamp: string;
    sources_visited?: string[];
    search_queries_used?: string[];
    iterations?: number;
  };
}

/**
 * What the runs' own record says of the sources. The claims and their status are the model's, see `claims`; no page is
 * compared with a claim.
 */
export interface Evidence {
  /** `unavailable`: the CLI gave no record of its searches, so nothing can be said. */
  status: "available" | "unavailable";
  sources: EvidenceSource[];
  /** URLs that the answer cites and that stand nowhere in the runs. */
  unseen: string[];
  /** Cited URLs that were seen, of all cited URLs: 0 to 1; `null` when none is cited. */
  citation_accuracy: number | null;
  /** Different hosts among the sources that are cited and seen. */
  independent_hosts: number;
  /**
   * As the model words and judges them, each with those of its sources that were seen. `supported` without one becomes
   * `unsupported`.
   */
  claims: EvidenceClaim[];
  /** Rounds that said `verified` without one search that gave results. */
  unsupported_verifications: number[];
  [more: string]: unknown;
}

export interface EvidenceSource {
  url: string;
  title?: string;
  status: "retrieved" | "found";
  cited: boolean;
  [more: string]: unknown;
}

export interface EvidenceClaim {
  text: string;
  sources: string[];
  status: "supported" | "disputed" | "unsupported";
}
