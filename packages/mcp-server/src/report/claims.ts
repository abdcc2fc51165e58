import type { Evidence, EvidenceClaim } from "@x/research";

type Status = EvidenceClaim["status"];

/** Says of all claims together what they are; stands above them. */
export const CLAIMS_MEANING =
  "What the model claims, and how far it is proven: quotations were looked for in the pages' own text. The status is the model's judgement.";

/** The name and the meaning of each status; those that need care come first. */
export const CLAIMS = {
  disputed: ["Disputed", "The model says that sources, or rounds, contradict each other."],
  unsupported: ["Unsupported", "The model found no support, or none of the sources that it names was seen."],
  supported: ["Supported", "The model says so, and a source that it names was read, or at least found by a search."],
} as const satisfies Record<Status, readonly [string, string]>;

/** In the order in which they are shown: what needs care first. */
export const STATUSES = Object.keys(CLAIMS) as Status[];

/** What a reader should know of the sources of one claim; `undefined` when one of them was read. */
export type Weakness = "its sources were only found by a search, not read" | "none of its sources was seen" | undefined;

/** Says of each claim of this evidence how weak it stands. */
export function weaknessIn(evidence: Evidence): (claim: EvidenceClaim) => Weakness {
  const statuses = new Map(evidence.sources.map(({ url, status }) => [url, status]));
  return ({ sources, status }) => {
    const seen = sources.flatMap((url) => statuses.get(url) ?? []);
    if (seen.some((known) => known !== "found")) return undefined;
    if (seen.length > 0) return "its sources were only found by a search, not read";
    return status === "unsupported" ? undefined : "none of its sources was seen";
  };
}
