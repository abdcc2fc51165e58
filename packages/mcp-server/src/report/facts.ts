import type { DeepSearchReport, RoundMetadata, SearchReport } from "@x/research";
import { plainLine, plainText, shortLine } from "../text/plain-text.js";
import { withoutMarks } from "./citation-marks.js";

/** The optional parts of a report's metadata, each when it is there and can be read. */
export interface ReportFacts {
  rounds: RoundFacts[];
  /** What is still open. */
  gaps: string[];
  /** What to be careful about, the note first. */
  warnings: string[];
  /** The question that this one follows. */
  follows?: string;
  /** How many of the person's own documents were read: `1 of 3`. */
  documents?: string;
  /** Runs of the CLI, and tokens of all models. */
  runs?: number;
  tokens?: number;
}

/** One round of a deep search, as it is told to people. */
export interface RoundFacts {
  number: number;
  state: "" | "verified" | "failed" | "set aside";
  /** What came out, in Markdown; of a failed round, why. */
  summary: string;
  queries: string[];
  sources: string[];
}

const LONGEST_QUESTION = 120;

/** Reads tolerantly: what a model gave may have any shape. */
export function factsOf({ metadata }: SearchReport | DeepSearchReport): ReportFacts {
  const { rounds, gaps, warnings, note, usage, follow_up, documents } = metadata;
  const { query: follows } = asObject(follow_up);
  const { given, read } = asObject(documents);
  const { runs, total_tokens: tokens } = asObject(usage);
  return {
    rounds: Array.isArray(rounds) ? rounds.map(roundFacts) : [],
    gaps: lines(gaps),
    warnings: [...(note === undefined ? [] : [plainLine(note)]), ...lines(warnings)],
    ...(typeof follows === "string" && { follows: shortLine(follows, LONGEST_QUESTION) }),
    ...(typeof given === "number" && typeof read === "number" && { documents: `${read} of ${given}` }),
    ...(typeof runs === "number" && { runs }),
    ...(typeof tokens === "number" && tokens > 0 && { tokens }),
  };
}

function roundFacts(round: RoundMetadata): RoundFacts {
  const { verified, error, set_aside: setAside } = round;
  const { message } = asObject(error);
  // The numbers are those of the round's own list of sources, which nobody sees; in one line nothing is a quotation.
  const lines = plainText(round.intermediate_result_summary).split("\n");
  const summary = plainLine(withoutMarks(lines.map((line) => line.replace(/^(?:> ?)+/, "")).join("\n")));
  return {
    number: round.round_number,
    state: error !== undefined ? "failed" : setAside !== undefined ? "set aside" : verified === true ? "verified" : "",
    summary:
      typeof message === "string"
        ? plainLine(message)
        : typeof setAside === "string"
          ? `${plainLine(setAside)}. ${summary}`
          : summary,
    queries: round.search_queries.map(plainLine),
    sources: round.sources_visited,
  };
}

function lines(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string").map(plainLine) : [];
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
