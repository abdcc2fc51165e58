import type { Trail } from "../evidence/trail.js";
import { isDocument } from "../evidence/urls.js";
import type { SearchMetadata } from "../report.js";

/** What a report says of the person's own documents, and what a reader must know when none was read. */
export function documentFacts(
  given: number | undefined,
  trails: readonly Trail[],
): { metadata: Pick<SearchMetadata, "documents">; warnings: string[] } {
  if (given === undefined) return { metadata: {}, warnings: [] };
  const urls = trails.flatMap(({ pages }) => pages.map((page) => page.final_url).filter(isDocument));
  const read = new Set(urls).size;
  const none =
    given === 1
      ? "The document was not read: the answer does not rest on it."
      : `None of the ${given} documents was read: the answer does not rest on them.`;
  return { metadata: { documents: { given, read } }, warnings: read === 0 ? [none] : [] };
}
