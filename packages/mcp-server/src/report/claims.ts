import type { Evidence, EvidenceClaim } from "@x/research";

type Status = EvidenceClaim["status"];

/** Says of all claims together what they are; stands above them. */
export const CLAIMS_MEANING =
  "What the model claims, and whether the sources it names were seen. That they say so is the model's word.";

/** By status, what needs care first: its name, and what it means. */
export const CLAIMS = {
  disputed: ["Disputed", "The model says that sources, or rounds, contradict each other."],
  unsupported: ["Unsupported", "The model found no support, or none of the sources that it names was seen."],
  supported: ["Supported", "The model says so, and a source that it names was read, or at least found by a search."],
} as const satisfies Record<Status, readonly [string, string]>;

export const STATUSES = Object.keys(CLAIMS) as Status[];

/** What a reader should know of the sources of one claim; `undefined` when one of them was read. */
export function weaknessOf({ sources, status }: EvidenceClaim, evidence: Evidence): string | undefined {
  const seen = evidence.sources.filter(({ url }) => sources.includes(url));
  if (seen.some((source) => source.status === "retrieved")) return undefined;
  if (seen.length > 0) return "its sources were only found by a search, not read";
  return status === "unsupported" ? undefined : "none of its sources was seen";
}
