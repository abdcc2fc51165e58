import { createHash } from "node:crypto";
import type { KeptPages, PageRead, PageRecord } from "../page-reading.js";
import type { Documents } from "./documents/documents.js";
import type { FetchPage } from "./fetch/fetch-page.js";
import { PageError } from "./fetch/page-error.js";
import { UnreadablePageError } from "./text/page-bytes.js";
import type { TextMaker } from "./text-maker.js";

const PAGES_KEPT = 500;

/** What the readers of one program share. */
export interface ReaderParts {
  fetchPage: FetchPage;
  texts: Pick<TextMaker, "make"> & Partial<Pick<TextMaker, "prepare">>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Marks that a page cannot guess. */
  newMark: () => string;
}

/** A page with its text. */
export type LoadedPage = Pick<PageRead, "page" | "text">;

/** What a research may read, besides what all may. */
export interface ShelfScope {
  documents?: Documents | undefined;
  /** Default `true`. */
  web?: boolean | undefined;
}

/** The pages of one research, each fetched once. */
export class PageShelf {
  readonly documents: Documents | undefined;
  readonly #parts: ReaderParts;
  readonly #web: boolean;
  readonly #pages = new Map<string, Promise<LoadedPage>>();
  readonly #stop = new AbortController();
  /** What an earlier research kept, by the addresses of each page. */
  readonly #kept = new Map<string, () => Promise<LoadedPage | undefined>>();

  constructor(parts: ReaderParts, { documents, web = true }: ShelfScope = {}) {
    this.#parts = parts;
    this.documents = documents;
    this.#web = web;
  }

  /** Gives these pages as they were kept, unless their text is gone. */
  offer({ records, load }: KeptPages): void {
    if (!this.#web) return;
    for (const page of records) {
      const kept = async () => {
        const text = await load(page.text_sha256).catch(() => undefined);
        return text === undefined ? undefined : { page, text };
      };
      for (const url of [page.url, page.final_url]) this.#kept.set(keyOf(url), kept);
    }
  }

  /** Gives a page. Rejects with a {@link PageError}; what failed is asked for again the next time. */
  load(url: string): Promise<LoadedPage> {
    const key = keyOf(url);
    let page = this.#pages.get(key);
    if (page === undefined) {
      const asked = this.#keptOrLoaded(key, url);
      page = asked;
      this.#pages.set(key, asked);
      asked.catch(() => this.#pages.delete(key));
      const [oldest] = this.#pages.keys();
      if (this.#pages.size > PAGES_KEPT && oldest !== undefined) this.#pages.delete(oldest);
    }
    return page;
  }

  close(): void {
    this.#stop.abort();
    this.documents?.close();
  }

  async #keptOrLoaded(key: string, url: string): Promise<LoadedPage> {
    return (await this.#kept.get(key)?.()) ?? this.#load(url);
  }

  async #load(url: string): Promise<LoadedPage> {
    const { texts, now } = this.#parts;
    const { finalUrl, bytes, contentType, name } = await this.#received(url);
    try {
      const making = texts.make({ url: finalUrl, bytes, contentType });
      // While the text is made.
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const { text, title = name, author, published, pageStarts, firstLine } = await making;
      const page: PageRecord = {
        url,
        final_url: finalUrl,
        sha256,
        bytes: bytes.length,
        content_type: contentType.slice(0, 200),
        fetched_at: new Date(now()).toISOString(),
        text_sha256: createHash("sha256").update(text).digest("hex"),
        ...(title !== undefined && { title }),
        ...(author !== undefined && { author }),
        ...(published !== undefined && { published }),
        ...(pageStarts !== undefined && { page_starts: pageStarts }),
        ...(firstLine !== undefined && { first_line: firstLine }),
      };
      return { page, text };
    } catch (error) {
      if (!(error instanceof UnreadablePageError)) throw error;
      throw new PageError("unreadable", error.message, { cause: error });
    }
  }

  async #received(url: string): Promise<{ finalUrl: string; bytes: Uint8Array; contentType: string; name?: string }> {
    if (/^file:/i.test(url) && this.documents !== undefined) {
      const { url: finalUrl, ...document } = await this.documents.read(url);
      return { finalUrl, ...document };
    }
    if (!this.#web) throw new PageError("address", "is not read: this research does not use the web");
    this.#parts.texts.prepare?.();
    return this.#parts.fetchPage(url, this.#stop.signal);
  }
}

/** A page by its address, whatever part of it is meant. */
export function keyOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/#.*$/s, "") : url;
}
