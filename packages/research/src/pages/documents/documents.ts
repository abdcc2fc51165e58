import { fileURLToPath } from "node:url";
import type { DocumentList } from "../../page-reading.js";
import type { DocumentSource } from "../../request.js";
import { PageError } from "../fetch/page-error.js";
import type { PageBytes, PageText } from "../text/page-bytes.js";
import { typeOf } from "./document-kind.js";
import { DocumentSearch } from "./document-search.js";
import { addressOf, type FoundDocument, findDocuments, isWithin } from "./find-documents.js";
import { readDocument } from "./read-document.js";

/** What the documents of a research are made with. */
export interface DocumentsParts {
  texts: { make(page: PageBytes): Promise<PageText> };
  /** Milliseconds that a search waits for texts that are still being read. Default 20,000. */
  waitMs?: number;
  /** Characters that are searched. Default 60,000,000. */
  maxSearched?: number;
  /** The program of the thread that searches. Default: the one beside this package's `pages.js`. */
  worker?: URL;
}

/** A passage that holds what was looked for. */
interface DocumentPassage {
  url: string;
  start: number;
  end: number;
}

/** What a search in documents found, and of how many. */
export interface DocumentsFound {
  passages: DocumentPassage[];
  searched: number;
  of: number;
}

/** So many are named to the model at once; the others it finds by words. */
const MAX_LISTED = 40;
const MAX_PASSAGES = 8;
/** Of one document among those. */
const MAX_OF_ONE = 3;

/** The documents of one research: which there are, what they hold, where some words stand in them. */
export class Documents {
  readonly list: DocumentList;
  readonly #documents: readonly FoundDocument[];
  readonly #byPath: ReadonlyMap<string, FoundDocument>;
  readonly #parts: DocumentsParts;
  readonly #search: DocumentSearch;
  readonly #stop = new AbortController();
  #reading: Promise<void> | undefined;
  #searched = 0;
  #characters = 0;

  private constructor(documents: readonly FoundDocument[], passedOver: string[], parts: DocumentsParts) {
    this.#documents = documents;
    this.#byPath = new Map(documents.map((document) => [document.path, document]));
    this.#parts = parts;
    this.#search = new DocumentSearch(parts.worker);
    this.list = {
      count: documents.length,
      folders: [...new Set(documents.map(({ root }) => `${addressOf(root)}/`))],
      listed: documents.slice(0, MAX_LISTED).map(({ url, bytes }) => ({ url, bytes })),
      passedOver,
    };
    // Whoever has many of them is told to search: it takes time until all are read.
    if (documents.length > MAX_LISTED) void this.#readAll();
  }

  /** Rejects with `INVALID_INPUT` that says which documents were expected. */
  static async open(sources: readonly DocumentSource[], parts: DocumentsParts): Promise<Documents> {
    const { documents, passedOver } = await findDocuments(sources);
    return new Documents(documents, passedOver, parts);
  }

  /** What the address of a document stands for. Rejects with a {@link PageError} when it is none of these. */
  async read(url: string): Promise<{ url: string; name: string; bytes: Uint8Array; contentType: string }> {
    const path = pathOf(url);
    const document = path === undefined ? undefined : this.#byPath.get(path);
    if (document === undefined) throw new PageError("address", "is none of the documents of this research");
    const { name } = document;
    return { url: document.url, name, bytes: await readDocument(document), contentType: typeOf(name) };
  }

  /** The folder of documents at an address; `undefined`: there is none. */
  folderAt(url: string): string | undefined {
    const path = pathOf(url);
    if (path === undefined || this.#byPath.has(path)) return undefined;
    return this.#documents.some((document) => isWithin(document.path, path)) ? path : undefined;
  }

  /** The addresses of the documents in a folder, in their order. */
  in(folder: string): { url: string; bytes: number }[] {
    return this.#documents.filter(({ path }) => isWithin(path, folder));
  }

  /** The passages in a folder that hold the most of some words; what is not read in time is not searched yet. */
  async find(folder: string, words: string): Promise<DocumentsFound> {
    const { waitMs = 20_000 } = this.#parts;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([this.#readAll(), late]);
    clearTimeout(timer);
    const hits = await this.#search.search(words).catch((error: Error) => {
      throw new PageError("unreadable", `cannot be searched: ${error.message}`);
    });
    const passages: DocumentPassage[] = [];
    const taken = new Map<number, number>();
    for (const { document: number, start, end } of hits) {
      const document = this.#documents[number];
      const count = taken.get(number) ?? 0;
      if (document === undefined || !isWithin(document.path, folder) || count === MAX_OF_ONE) continue;
      taken.set(number, count + 1);
      passages.push({ url: document.url, start, end });
      if (passages.length === MAX_PASSAGES) break;
    }
    return { passages, searched: this.#searched, of: this.#documents.length };
  }

  close(): void {
    this.#stop.abort();
    this.#search.close();
  }

  /** Never rejects: what cannot be read is not found. */
  #readAll(): Promise<void> {
    this.#reading ??= this.#readEach().catch(() => {});
    return this.#reading;
  }

  async #readEach(): Promise<void> {
    const { texts, maxSearched = 60_000_000 } = this.#parts;
    for (const [number, document] of this.#documents.entries()) {
      if (this.#stop.signal.aborted || this.#characters >= maxSearched) return;
      const { url, name } = document;
      const text = await readDocument(document)
        .then((bytes) => texts.make({ url, bytes, contentType: typeOf(name) }))
        .catch(() => undefined);
      if (text !== undefined) await this.#search.add(number, name, text.text);
      this.#characters += text?.text.length ?? 0;
      this.#searched = number + 1;
    }
  }
}

/** The path that an address names; `undefined`: it is no address of a file. */
function pathOf(url: string): string | undefined {
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== "file:" || parsed.hostname !== "") return undefined;
    const path = fileURLToPath(new URL(parsed.pathname, "file:"));
    return path.length > 1 ? path.replace(/[\\/]$/, "") : path;
  } catch {
    return undefined;
  }
}
