import type { RunResult } from "@x/gemini-runner";
import type { Answer } from "../answer.js";
import type { Evidence, EvidenceClaim, EvidenceSource } from "../report.js";
import type { Redirects } from "./redirects.js";
import { hostOf, isRedirectLink, mergeTexts, mergeUrls, pageKey, urlsIn } from "./urls.js";

interface SeenSource {
  url: string;
  title?: string | undefined;
  status: "found" | "retrieved";
}

/** What runs really did, by the CLI's own record. */
export interface Trail {
  /** `false`: the run that gave the answer has no record, so what is not here may still have happened. */
  recorded: boolean;
  queries: string[];
  sources: SeenSource[];
  /** Searches and reads that failed. */
  failures: number;
}

/** Of the main runs of one answer: the last one gave it, so it is the one whose record counts. */
export function trailOf(runs: readonly Pick<RunResult, "recorded" | "queries" | "sources" | "failures">[]): Trail {
  return {
    recorded: runs.at(-1)?.recorded ?? false,
    queries: mergeTexts(...runs.map((run) => run.queries)),
    sources: runs.flatMap((run) => run.sources),
    failures: runs.reduce((sum, run) => sum + run.failures.length, 0),
  };
}

/** The pages of a research, each once, with what is known of it. */
export class Pages {
  readonly #pages = new Map<string, EvidenceSource>();
  readonly #links: Redirects;

  constructor(trails: readonly Trail[], links: Redirects) {
    this.#links = links;
    for (const { sources } of trails) for (const source of sources) this.#add(source);
  }

  #add({ url, title, status }: SeenSource): void {
    const [page = url] = mergeUrls([this.#links.pageOf(url)]);
    const key = pageKey(page);
    const known = this.#pages.get(key);
    if (known === undefined)
      this.#pages.set(key, { url: page, ...(title !== undefined && { title }), status, cited: false });
    else if (status === "retrieved") known.status = "retrieved";
  }

  get(url: string): EvidenceSource | undefined {
    return this.#pages.get(pageKey(this.#links.pageOf(url)));
  }

  /** The address that says where a page is: behind a link that could not be resolved, its title names the host. */
  shown(url: string): string {
    const page = this.get(url);
    const address = page?.url ?? this.#links.pageOf(url);
    return isRedirectLink(address) && page?.title !== undefined ? `https://${page.title}/` : address;
  }

  all(): EvidenceSource[] {
    return [...this.#pages.values()];
  }
}

export interface EvidenceInput {
  answer: Pick<Answer, "report" | "claims" | "metadata">;
  trails: readonly Trail[];
  links: Redirects;
  /** Rounds that said `verified`, with what they did. */
  verifications: readonly { round: number; trail: Trail }[];
}

/**
 * Which sources of an answer the runs found and read. The model judges its claims; of that judgement only `supported`
 * without a seen source is changed. Without the runs' record nothing is said: it never guesses.
 */
export function evidenceOf({ answer, trails, links, verifications }: EvidenceInput): Evidence {
  const unsupported = verifications
    .filter(({ trail }) => trail.recorded && trail.queries.length === 0)
    .map(({ round }) => round);
  if (!trails.every((trail) => trail.recorded)) {
    return {
      status: "unavailable",
      sources: [],
      unseen: [],
      citation_accuracy: null,
      independent_hosts: 0,
      claims: [],
      unsupported_verifications: unsupported,
    };
  }
  const pages = new Pages(trails, links);
  const cited = mergeUrls(
    urlsIn(answer.report).map((url) => links.pageOf(url)),
    answer.claims.flatMap((claim) => claim.sources.map((url) => links.pageOf(url))),
    answer.metadata.sources_visited.map((url) => links.pageOf(url)),
  );
  const unseen: string[] = [];
  for (const url of cited) {
    const page = pages.get(url);
    if (page === undefined) unseen.push(url);
    else page.cited = true;
  }
  const sources = pages.all().filter((page) => page.cited || page.status === "retrieved");
  const hosts = new Set(sources.filter((page) => page.cited).map((page) => hostOf(pages.shown(page.url))));
  return {
    status: "available",
    sources,
    unseen,
    citation_accuracy: cited.length === 0 ? null : round(1 - unseen.length / cited.length),
    independent_hosts: hosts.size,
    claims: answer.claims.map((claim): EvidenceClaim => {
      const seen = mergeUrls(claim.sources.flatMap((url) => pages.get(url)?.url ?? []));
      const status = claim.status === "supported" && seen.length === 0 ? "unsupported" : claim.status;
      return { text: claim.text, sources: seen, status };
    }),
    unsupported_verifications: unsupported,
  };
}

/** How many of the pages that a report cites were seen. */
export function supportedCitations(report: string, trails: readonly Trail[], links: Redirects): number {
  const pages = new Pages(trails, links);
  return urlsIn(report).filter((url) => pages.get(url) !== undefined).length;
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
