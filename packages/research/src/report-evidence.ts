/**
 * What a program found out about a report, from the runs' own record and the bytes of the pages that were read. The claims and
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
  /** What the page says before the passage: at most 200 characters. Missing where nothing stands there. */
  before?: string;
  /** The same behind it. */
  behind?: string;
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
  /** As the page says it. */
  title?: string;
  /** When it was published, as the page says it. */
  published?: string;
}
