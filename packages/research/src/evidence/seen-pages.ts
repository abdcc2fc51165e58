import type { EvidenceSource } from "../report-evidence.js";
import type { Redirects } from "./redirects.js";
import type { Trail } from "./trail.js";
import { isRedirectLink, mergeUrls, pageKey } from "./urls.js";

/** The pages that the runs of a research found and read, each once. */
export class SeenPages {
  readonly #pages = new Map<string, EvidenceSource>();
  readonly #links: Redirects;

  constructor(trails: readonly Trail[], links: Redirects) {
    this.#links = links;
    for (const { sources, earlier = false } of trails) for (const source of sources) this.#add(source, earlier);
    // A page has two addresses when it redirects, and the model may cite either.
    for (const { pages } of trails) {
      for (const { url, final_url: finalUrl, title } of pages) {
        const page = this.get(finalUrl);
        // What the page calls itself says more than what a search calls it.
        if (page !== undefined && title !== undefined) page.title = title;
        if (page !== undefined && this.get(url) === undefined) this.#pages.set(pageKey(url), page);
      }
    }
  }

  #add({ url, title, status }: Trail["sources"][number], earlier: boolean): void {
    const [page = url] = mergeUrls([this.#links.pageOf(url)]);
    const key = pageKey(page);
    const known = this.#pages.get(key);
    if (known === undefined) {
      const more = { ...(title !== undefined && { title }), ...(earlier && { earlier }) };
      this.#pages.set(key, { url: page, ...more, status, cited: false });
      return;
    }
    if (!earlier && (status === "retrieved" || known.status === "found")) delete known.earlier;
    if (status !== "retrieved") return;
    known.status = "retrieved";
    if (title !== undefined) known.title ??= title;
  }

  /** The page at an address, or behind a link. */
  get(url: string): EvidenceSource | undefined {
    return this.#pages.get(pageKey(this.#links.pageOf(url)));
  }

  /** The address that says where a page is: behind a link that could not be resolved, its title names the host. */
  shown(url: string): string {
    const page = this.get(url);
    const address = page?.url ?? this.#links.pageOf(url);
    return isRedirectLink(address) && page?.title !== undefined ? `https://${page.title}/` : address;
  }

  /** All of them, in the order they were met. */
  all(): EvidenceSource[] {
    return [...new Set(this.#pages.values())];
  }
}
