import { evidenceOf } from "../evidence/evidence.js";
import type { PageTexts } from "../evidence/page-texts.js";
import type { Redirects } from "../evidence/redirects.js";
import type { Evidence } from "../report-evidence.js";
import type { Order } from "./checkpoint.js";
import { type Best, type Findings, isFinished, trailsOf } from "./findings.js";
import { shareOf } from "./proof.js";

/** What the evidence of a research is made of. */
export interface EvidenceParts {
  order: Pick<Order, "requireEvidence">;
  findings: Findings;
  best: Best;
  links: Redirects;
  texts: PageTexts;
}

/** Gives the evidence of a research so far. */
export function evidenceOfFindings({ order, findings, best, links, texts }: EvidenceParts): Evidence {
  const verifications = findings.rounds.filter(isFinished).filter((round) => round.verified);
  const [trails, required] = [trailsOf(findings), shareOf(order.requireEvidence)];
  return evidenceOf({ answer: best.answer, trails, links, texts, verifications, required });
}
