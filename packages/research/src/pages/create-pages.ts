import { randomUUID } from "node:crypto";
import type { Pages, ReadingScope } from "../page-reading.js";
import type { Documents } from "./documents/documents.js";
import type { FetchPage, PageFetcherOptions } from "./fetch/fetch-page.js";
import { PageReader } from "./page-reader.js";
import { PageShelf, type ReaderParts } from "./page-shelf.js";
import { TextMaker } from "./text-maker.js";
import { SERVER_NAME, TOOL_NAME, ToolServer } from "./tool-server.js";

/** How pages are read. */
export interface PagesOptions {
  /** Variables that name proxies (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`). Default: none. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * How the program names itself to sites; its first word is looked for in `robots.txt`. Default: `x-research`, and that a
   * person asked.
   */
  userAgent?: string;
  /** Whether `robots.txt` is respected. Default `true`. */
  respectRobots?: boolean;
  /** Milliseconds for one page, redirects included. Default 20,000. */
  timeoutMs?: number;
  /** Whether a connection to this address (IPv4 or IPv6) may be made. Default: to public ones alone. */
  allowAddress?: (address: string) => boolean;
  /** Ports that may be asked. Default 80 and 443. */
  ports?: readonly number[];
  /** Gives milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
}

/** A {@link Pages} that can be ended. */
export interface PagesHost extends Pages {
  /** Ends every read, and the server that offers them. */
  close(): Promise<void>;
  /** Gives the text of a page, or of a document among `files`. Rejects with why it cannot be read. */
  read(url: string, scope?: Pick<ReadingScope, "files">): Promise<string>;
}

const USER_AGENT = "x-research (reads single pages that a person's question led to)";
/** A page takes 20 s at most to arrive and 15 s to become text. */
const TOOL_TIMEOUT_MS = 40_000;

/**
 * Reads pages for the runs of a research: over a tool on loopback that is started with the first research.
 *
 * @example
 * const pages = createPages({ env: process.env });
 * await resultOf(deepSearch({ query: "How many moons has Mars?" }, { runner, prompts: builtInPrompts, pages }));
 * await pages.close();
 */
export function createPages({ now = Date.now, ...options }: PagesOptions = {}): PagesHost {
  const fetching = fetchingOf({ ...options, userAgent: options.userAgent ?? USER_AGENT });
  const texts = new TextMaker();
  const server = new ToolServer({
    // A run speaks to the server while it starts, and reads later.
    onCall: () => {
      texts.prepare();
      fetching.prepare().catch(() => {});
    },
  });
  const parts = { fetchPage: fetching.fetchPage, texts, now, newMark: randomUUID };
  let sessions = 0;
  return {
    async open({ files, web } = {}) {
      const documents = await documentsOf(files, parts);
      const url = `http://127.0.0.1:${await server.hold()}/mcp`;
      const shelf = new PageShelf(parts, { documents, web });
      const tokens = new Set<string>();
      let isOpen = true;
      sessions += 1;
      const revoke = (token: string) => {
        server.revoke(token);
        tokens.delete(token);
      };
      return {
        documents: documents?.list,
        async access() {
          const reader = new PageReader(shelf, parts);
          const token = server.register(reader);
          tokens.add(token);
          const endpoint = {
            url,
            headers: { Authorization: `Bearer ${token}` },
            includeTools: [TOOL_NAME],
            timeoutMs: TOOL_TIMEOUT_MS,
          };
          return {
            mcpServers: { [SERVER_NAME]: endpoint },
            called: ({ tool, urls = [] }) => {
              // The CLI puts the name of the server before it.
              if (tool.endsWith(TOOL_NAME)) for (const url of urls) reader.expect(url);
            },
            spend: (characters) => reader.spend(characters),
            reads: async () => reader.reads(),
            close: () => revoke(token),
          };
        },
        offer: (kept) => shelf.offer(kept),
        close() {
          if (!isOpen) return;
          isOpen = false;
          for (const token of tokens) revoke(token);
          shelf.close();
          server.release();
          sessions -= 1;
          if (sessions === 0) texts.rest();
        },
      };
    },
    async read(url, { files } = {}) {
      const documents = await documentsOf(files, parts);
      const shelf = new PageShelf(parts, { documents });
      try {
        return (await shelf.load(url)).text;
      } finally {
        shelf.close();
      }
    },
    async close() {
      texts.close();
      await server.close();
    },
  };
}

/** What reads the web, loaded when it is needed; `prepare`: before that, with what looks for words in a page. */
function fetchingOf(options: PageFetcherOptions): { prepare(): Promise<unknown>; fetchPage: FetchPage } {
  let fetcher: Promise<FetchPage> | undefined;
  let prepared: Promise<unknown> | undefined;
  const load = () => {
    fetcher ??= import("./fetch/fetch-page.js").then(({ createPageFetcher }) => createPageFetcher(options));
    return fetcher;
  };
  const prepareSearch = async () => {
    const { findPassages } = await import("./find-passages.js");
    // Its tables are made with the first search.
    findPassages("", "");
  };
  return {
    prepare() {
      prepared ??= Promise.all([load(), prepareSearch()]);
      return prepared;
    },
    fetchPage: async (url, signal) => (await load())(url, signal),
  };
}

async function documentsOf(files: ReadingScope["files"], parts: ReaderParts): Promise<Documents | undefined> {
  if (files === undefined) return undefined;
  const { Documents } = await import("./documents/documents.js");
  return Documents.open(files, parts);
}
