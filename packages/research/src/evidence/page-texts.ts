import type { PageRead, PageRecord } from "../page-reading.js";
import type { PageStore } from "../page-store.js";
import { SearchablePage } from "../quotes/searchable-page.js";

/** A page that was read, with its text. */
export interface ReadablePage {
  record: PageRecord;
  page: SearchablePage;
}

/** Characters that are held and looked through; a page of people has some ten thousand. */
const MAX_HELD = 20_000_000;

/** The texts of the pages that a research read, each once. */
export class PageTexts {
  readonly #texts = new Map<string, SearchablePage>();
  readonly #store: PageStore | undefined;
  #held = 0;

  /** @param store Where texts are kept for a research that goes on later, or is checked again. */
  constructor(store?: PageStore) {
    this.#store = store;
  }

  /** Notes the texts of pages, and keeps them. Gives why one could not be kept. */
  async add(reads: readonly PageRead[]): Promise<string[]> {
    const problems: string[] = [];
    for (const { page, text } of reads) {
      const key = page.text_sha256;
      if (this.#texts.has(key)) continue;
      if (!this.#hold(key, text)) {
        problems.push(`${page.final_url} is not looked through: this research read more than ${MAX_HELD} characters`);
        continue;
      }
      await this.#store?.save(key, text).catch((error: unknown) => {
        problems.push(error instanceof Error ? error.message : String(error));
      });
    }
    return problems;
  }

  /** Reads the texts that were kept; one that is gone is missing. */
  async load(records: readonly PageRecord[]): Promise<void> {
    for (const { text_sha256: key } of records) {
      if (this.#texts.has(key)) continue;
      const text = await this.#store?.load(key).catch(() => undefined);
      if (text !== undefined) this.#hold(key, text);
    }
  }

  #hold(key: string, text: string): boolean {
    if (this.#held + text.length > MAX_HELD) return false;
    this.#held += text.length;
    this.#texts.set(key, new SearchablePage(text));
    return true;
  }

  /** Those of the pages whose text is there, each text once. */
  of(records: readonly PageRecord[]): ReadablePage[] {
    const readable = new Map<string, ReadablePage>();
    for (const record of records) {
      const page = this.#texts.get(record.text_sha256);
      const key = `${record.final_url} ${record.text_sha256}`;
      if (page !== undefined && !readable.has(key)) readable.set(key, { record, page });
    }
    return [...readable.values()];
  }
}
