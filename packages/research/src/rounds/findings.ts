import * as z from "zod";
import type { Answer } from "../answer.js";
import { supportedCitations } from "../evidence/evidence.js";
import type { Redirects } from "../evidence/redirects.js";
import type { Trail } from "../evidence/trail.js";
import { pageKey, urlsIn } from "../evidence/urls.js";

/** What a research has found so far, as plain data: the checkpoint of a round holds it. */

const texts = z.array(z.string());
const page = z.object({
  url: z.string(),
  final_url: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  content_type: z.string(),
  fetched_at: z.string(),
  text_sha256: z.string(),
  title: z.string().optional(),
  author: z.string().optional(),
  published: z.string().optional(),
  page_starts: z.array(z.number()).optional(),
  first_line: z.number().optional(),
});
const trail = z.object({
  recorded: z.boolean(),
  queries: texts,
  sources: z.array(z.object({ url: z.string(), title: z.string().optional(), status: z.enum(["found", "retrieved"]) })),
  failures: z.number(),
  pages: z.array(page).default([]),
  attributions: z.array(z.object({ text: z.string(), urls: texts })).default([]),
  earlier: z.boolean().optional(),
});
const answer = z.object({
  success: z.boolean(),
  verified: z.boolean(),
  report: z.string(),
  metadata: z.object({ sources_visited: texts, search_queries_used: texts }),
  claims: z.array(
    z.object({
      text: z.string(),
      sources: texts,
      status: z.enum(["supported", "disputed", "unsupported"]),
      quotes: z.array(z.object({ url: z.string().optional(), text: z.string() })).default([]),
    }),
  ),
  gaps: texts,
  data: z.unknown().optional(),
  dataClaims: z.array(z.object({ leaf: z.string(), claim: z.number() })).default([]),
});

const finished = z.object({
  round: z.number(),
  failed: z.undefined().optional(),
  verified: z.boolean(),
  summary: z.string(),
  listed: answer.shape.metadata,
  trail,
  /** Why the report before was kept instead of this round's. */
  setAside: z.string().optional(),
});
const failed = z.object({ round: z.number(), failed: z.object({ code: z.string(), message: z.string() }) });

export const FindingsSchema = z.object({
  rounds: z.array(z.union([failed, finished])),
  best: z
    .object({ round: z.number(), answer, cutOff: z.boolean(), unstructured: z.boolean().default(false) })
    .optional(),
  verified: z.boolean(),
  /** What the research that this one follows did. */
  before: trail.optional(),
});

export type Findings = z.infer<typeof FindingsSchema>;
export type FinishedRound = z.infer<typeof finished>;
export type Best = NonNullable<Findings["best"]>;

export function isFinished(round: Findings["rounds"][number]): round is FinishedRound {
  return round.failed === undefined;
}

/** What all rounds did, behind what the research did that this one follows. */
export function trailsOf({ rounds, before }: Findings): Trail[] {
  const own = rounds.filter(isFinished).map((round) => round.trail);
  return before === undefined ? own : [before, ...own];
}

/** Below this length a report is a draft, and a shorter one may well be better. */
const DRAFT = 1_500;

/**
 * Why an answer does not replace the best one so far, or `undefined` when it does. In this order: an answer of the asked
 * form beats plain text; a whole answer beats one that was cut off; a report of over 1,500 characters is not given up for one that lost more than half of its text
 * or of the pages it cites; a verified answer beats one that is not; an answer that lost more than half of the
 * citations that were really seen does not replace the one that has them; else the latest is the best.
 */
export function setAsideReason(
  best: Pick<Best, "answer" | "cutOff" | "unstructured">,
  next: Pick<Best, "answer" | "cutOff" | "unstructured">,
  trails: readonly Trail[],
  links: Redirects,
): string | undefined {
  if (best.unstructured && !next.unstructured) return undefined;
  if (next.cutOff !== best.cutOff) return next.cutOff ? "its report was cut off" : undefined;
  const [before, after] = [best.answer.report, next.answer.report];
  if (before.length > DRAFT) {
    if (after.length < before.length / 2) {
      return `its report had lost more than half of the text (${after.length} of ${before.length} characters)`;
    }
    const cited = urlsIn(before).map((url) => pageKey(links.pageOf(url)));
    const still = new Set(urlsIn(after).map((url) => pageKey(links.pageOf(url))));
    const kept = cited.filter((key) => still.has(key)).length;
    if (kept < cited.length / 2) {
      return `its report had lost more than half of the cited pages (${kept} of ${cited.length} left)`;
    }
  }
  if (next.answer.verified) return undefined;
  const [had, has] = [before, after].map((report) => supportedCitations(report, trails, links)) as [number, number];
  return has < had / 2
    ? `its report had lost more than half of the citations that were seen (${has} of ${had} left)`
    : undefined;
}

/** The first words of a report, for a reader who wants to know what a round gave. */
export function summaryOf({ report }: Pick<Answer, "report">): string {
  const lines = report.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "" && !/^(?:#|```|---|\||<!--)/.test(line)) ?? lines.find(Boolean) ?? "";
  if (first.length <= SUMMARY) return first;
  const cut = first.slice(0, SUMMARY);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), SUMMARY / 2)).trimEnd()}…`;
}

const SUMMARY = 300;
