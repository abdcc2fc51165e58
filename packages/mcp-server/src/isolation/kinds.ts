/** What sets one kind of research apart from another, beside how it is done. */
interface Kind {
  /** Whether what proves its report is kept: then it reads pages by itself, takes options, and can be asked on from. */
  keepsEvidence: boolean;
  /** What a research calls it whose plan is made first. Without: it has no plan. */
  planned?: "search" | "deep-search";
}

/** The kinds of research, by the tools that ask for them. */
export const KINDS: Readonly<Record<"search" | "deep_search" | "deep_research", Kind>> = {
  search: { keepsEvidence: true, planned: "search" },
  deep_search: { keepsEvidence: true, planned: "deep-search" },
  deep_research: { keepsEvidence: false },
};

export type JobTool = keyof typeof KINDS;

export function isJobTool(value: unknown): value is JobTool {
  return typeof value === "string" && Object.hasOwn(KINDS, value);
}
