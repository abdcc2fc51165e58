import { endsResearch, type ResearchError } from "../errors.js";
import { visitedIn, warningsOf } from "../evidence/presented.js";
import type { Redirects } from "../evidence/redirects.js";
import { mergeTexts, mergeUrls } from "../evidence/urls.js";
import type { planFacts } from "../plan/plan-facts.js";
import type { DeepSearchReport, RoundMetadata } from "../report.js";
import type { Evidence } from "../report-evidence.js";
import type { Order } from "./checkpoint.js";
import type { dataFacts } from "./data.js";
import { documentFacts } from "./documents.js";
import type { earlierFacts } from "./earlier.js";
import { type Best, type Findings, isFinished, trailsOf } from "./findings.js";
import { isEnough, provenWords } from "./proof.js";
import type { Session } from "./session.js";

interface Ended {
  order: Order;
  findings: Findings;
  best: Best;
  session: Session;
  links: Redirects;
  /** Which budget was used up, if one was. */
  usedUp: string | undefined;
  lastError: ResearchError | undefined;
  /** What is known of the best answer's claims. */
  evidence: Evidence;
  /** What is said of a plan. */
  planned: ReturnType<typeof planFacts>;
  /** What is said of an earlier research. */
  since: ReturnType<typeof earlierFacts>;
  /** What is said of data that is wanted. */
  shaped: ReturnType<typeof dataFacts>;
  /** Whether answers that could not be read ended the research. */
  unreadable: boolean;
}

/** The answer of a deep search, from what its rounds found. */
export function deepReportOf(ended: Ended): DeepSearchReport {
  const { order, findings, best, session, links, usedUp, evidence, planned, since, shaped } = ended;
  const { filters = {} } = order;
  const { rounds, verified } = findings;
  const { report, gaps } = best.answer;
  const { unstructured } = best;
  const trails = trailsOf(findings);
  const finished = rounds.filter(isFinished);
  const perRound = rounds.map((round) => roundOf(round, { trails, links, filters }));
  const queries = mergeTexts(...perRound.map((round) => round.search_queries));
  const documents = documentFacts(
    session.tools.documentCount,
    finished.map(({ trail }) => trail),
  );
  const now = session.now();
  const unchecked = verified && finished.length === 1;
  const warnings = [
    ...planned.warnings,
    ...documents.warnings,
    ...since.warnings,
    ...shaped.warnings,
    ...(usedUp === undefined ? [] : [`The budget ended the research before its rounds were done: ${usedUp}.`]),
    ...(unchecked ? ['The first answer already said "verified": no other round has checked it.'] : []),
    ...warningsOf({ report, queries, cutOff: best.cutOff, unstructured }, { evidence, trails, filters, links, now }),
    ...finished.flatMap(({ round, setAside }) =>
      setAside === undefined ? [] : [`The report of round ${round} was set aside: ${setAside}.`],
    ),
  ];
  return {
    success: true,
    result: links.inText(report),
    verified,
    ...shaped.report,
    metadata: {
      duration_ms: session.durationMs(),
      query: order.query,
      model: session.modelName(),
      timestamp: new Date(now).toISOString(),
      iterations: rounds.length,
      sources_visited: mergeUrls(...perRound.map((round) => round.sources_visited)),
      search_queries_used: queries,
      rounds: perRound,
      ...((!verified || !isEnough(evidence)) && {
        note: noteOf({ ...ended, verified, rounds: rounds.length, best: best.round }),
      }),
      ...(usedUp !== undefined && { partial: true }),
      ...(unstructured && { unstructured }),
      ...(warnings.length > 0 && { warnings }),
      ...session.models(),
      ...(gaps.length > 0 && { gaps }),
      ...planned.metadata,
      ...documents.metadata,
      ...since.metadata,
      ...shaped.metadata,
      usage: session.spent(),
      evidence,
    },
  };
}

/** What one round did, for the report. */
function roundOf(round: Findings["rounds"][number], known: Parameters<typeof visitedIn>[1]): RoundMetadata {
  if (!isFinished(round)) {
    const nothing = { sources_visited: [], search_queries: [], intermediate_result_summary: "" };
    return { round_number: round.round, ...nothing, error: round.failed };
  }
  const { sources, queries } = visitedIn(round, known);
  return {
    round_number: round.round,
    sources_visited: sources,
    search_queries: queries,
    intermediate_result_summary: known.links.inText(round.summary),
    verified: round.verified,
    ...(round.setAside !== undefined && { set_aside: round.setAside }),
  };
}

function noteOf({
  rounds,
  best,
  usedUp,
  lastError,
  unreadable,
  evidence,
  verified,
}: Pick<Ended, "usedUp" | "lastError" | "unreadable" | "evidence"> & {
  rounds: number;
  best: number;
  verified: boolean;
}): string {
  const which = `This is the best result of ${rounds} ${rounds === 1 ? "round" : "rounds"} (round ${best}).`;
  if (verified)
    return `The share of proven claims that was asked for was not reached: ${provenWords(evidence)} are proven. ${which}`;
  const why =
    usedUp !== undefined
      ? `: ${usedUp}, so the answer is partial`
      : lastError !== undefined && endsResearch(lastError)
        ? `: ${lastError.message.replace(/\.$/, "")}`
        : unreadable
          ? ": the model did not keep to the asked form"
          : "";
  return `Verification was not completed${why}. ${which}`;
}
