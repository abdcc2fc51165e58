import type { JobHead } from "../../jobs/job-record.js";
import { isJobId } from "../../jobs/job-record.js";
import type { Jobs } from "../../jobs/jobs.js";
import { shortLine } from "../../text/plain-text.js";

/** Which research a person means. */
export interface Which {
  /** The id, or the beginning of it or of its last part: `deep-search-2f37a4r32z`, `2f37`. */
  id?: string | undefined;
  /** The one that was asked last; one that ended before it searched anything does not count, where others are kept. */
  last?: boolean | undefined;
}

export interface WhichOptions {
  /** Whether a start that failed or was interrupted counts as the last one: for what begins it again, or deletes it. Default `false`. */
  failedStart?: boolean;
}

/** Ids that are told back when a beginning fits several. */
const MOST_TOLD = 5;

/** The one research that is meant; a text says why it is not known. */
export async function whichResearch(
  jobs: Pick<Jobs, "list">,
  { id, last }: Which,
  command: string,
  { failedStart = false }: WhichOptions = {},
): Promise<{ id: string } | { missing: string }> {
  if (id !== undefined && last) return { missing: "Give an id or --last, not both." };
  if (id === undefined && !last)
    return { missing: `Which research? Give its id, or --last; \`${command} list\` shows them.` };
  if (id !== undefined && isJobId(id)) return { id };
  const heads = await jobs.list(Number.POSITIVE_INFINITY);
  if (id === undefined) {
    const latest = heads.find((head) => failedStart || !isFailedStart(head)) ?? heads[0];
    return latest === undefined
      ? { missing: `No research is kept yet; \`${command} list\` names the folder.` }
      : { id: latest.id };
  }
  const fitting = heads.filter((head) => isMeant(head, id.toLowerCase()));
  const [first, ...others] = fitting;
  if (first === undefined) return { missing: unknownId(id, command) };
  if (others.length === 0) return { id: first.id };
  const told = fitting.slice(0, MOST_TOLD).map((head) => head.id);
  const more = fitting.length > told.length ? `, and ${fitting.length - told.length} more` : "";
  return { missing: `${JSON.stringify(id)} fits ${fitting.length} researches: ${told.join(", ")}${more}.` };
}

export function unknownId(id: string, command: string): string {
  return `There is no research ${JSON.stringify(shortLine(id, 60))}; \`${command} list\` shows them.`;
}

/** How a research comes to a report; `undefined` when it has one. */
export function toReport({ id, state }: Pick<JobHead, "id" | "state">, command: string): string | undefined {
  if (state === "completed") return undefined;
  return `${state === "running" ? "Wait for it" : "Go on"} with: ${command} resume ${id}`;
}

/** The last part of an id: it alone tells one research from another. */
export function shortId({ id }: Pick<JobHead, "id">): string {
  return id.slice(id.lastIndexOf("-") + 1);
}

function isFailedStart({ state, activity: { queries, pages, roundsDone } }: JobHead): boolean {
  return (state === "failed" || state === "interrupted") && queries.length + pages.length + roundsDone === 0;
}

function isMeant(head: JobHead, beginning: string): boolean {
  return beginning !== "" && (head.id.startsWith(beginning) || shortId(head).startsWith(beginning));
}
