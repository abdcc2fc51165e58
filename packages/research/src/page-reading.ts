import type { DocumentSource } from "./request.js";
import type { McpEndpoint } from "./runner.js";

/** A page that was read: where it is, what was received, and what became of it. Its text is kept apart. */
export interface PageRecord {
  /** The address that was asked for. */
  url: string;
  /** The address behind redirects. */
  final_url: string;
  /** Hash of the bytes, unpacked, as they were received: SHA-256 in hexadecimal. */
  sha256: string;
  /** Number of those bytes. */
  bytes: number;
  /** As the server said it; empty when it did not. */
  content_type: string;
  /** When the page was received, in ISO 8601. */
  fetched_at: string;
  /** Hash of the text that was made of it: SHA-256 in hexadecimal. */
  text_sha256: string;
  /** As the page says it. */
  title?: string | undefined;
  /** As the page says it. */
  author?: string | undefined;
  /** When it was published, as the page writes it. */
  published?: string | undefined;
  /** Where each page of a PDF begins in the text. */
  page_starts?: number[] | undefined;
  /** The line of the file where the text begins, from 1; missing where the text is not the file as it stands. */
  first_line?: number | undefined;
}

/** A page that a run read, and what of it the model was shown. */
export interface PageRead {
  /** The page. */
  page: PageRecord;
  /** The text that was made of it, in Markdown. U+001E stands between parts that no quotation may join. */
  text: string;
  /** The parts of the text that the model was shown, each by its first character and the one behind its last. */
  shown: [from: number, to: number][];
}

/** A read that failed. */
export interface FailedRead {
  /** The address that was asked for. */
  url: string;
  /** Why, in words that follow the address. */
  message: string;
}

/** What one run has read so far. */
export interface RunReads {
  /** Pages that were read, each once. */
  pages: PageRead[];
  /** Reads that failed. */
  failures: FailedRead[];
}

/** The page tool for one run: only that run can use it. */
export interface PageAccess {
  /** Servers that the run is given. */
  mcpServers: Readonly<Record<string, McpEndpoint>>;
  /**
   * Tells of a tool that the model has called. Where it is the page tool, the page is fetched while the CLI prepares the
   * call. Default: a page is fetched when the call comes.
   */
  called?(call: { tool: string; urls?: readonly string[] }): void;
  /** Tells how many characters other tools gave the model: so much less may be read. */
  spend(characters: number): void;
  /** Gives what the run has read so far. */
  reads(): Promise<RunReads>;
  /** Ends the access: the run is over. */
  close(): void;
}

/** Documents of the person's own that a research may read. */
export interface DocumentList {
  /** How many there are. */
  count: number;
  /** Addresses of the folders that hold them. */
  folders: string[];
  /** The first of them, with their sizes. */
  listed: { url: string; bytes: number }[];
  /** What was passed over, in words. */
  passedOver: string[];
}

/** Pages that an earlier research read, and where their texts are kept. */
export interface KeptPages {
  /** The pages, the latest read of each last. */
  records: readonly PageRecord[];
  /** Gives a text by its hash, or `undefined` when it is gone: then the page is fetched. */
  load(textSha256: string): Promise<string | undefined>;
}

/** What a research reads. */
export interface ReadingScope {
  /** Documents of the person's own. Default: none. */
  files?: readonly DocumentSource[] | undefined;
  /** Whether pages of the web may be read. Default `true`. */
  web?: boolean | undefined;
}

/** The page tool for one research: no page is fetched twice. */
export interface PageSession {
  /** The documents that were asked for. */
  documents?: DocumentList | undefined;
  /** Makes an access for one run. */
  access(): Promise<PageAccess>;
  /** From now on gives these pages as they were kept. Default: every page is fetched. */
  offer?(kept: KeptPages): void;
  /** Ends every access and every read. */
  close(): void;
}

/** Reads pages for the runs of a research, as `createPages` of `@x/research/pages` does. */
export interface Pages {
  /** Begins to read for one research. Rejects when no tool can be offered, and with `INVALID_INPUT` for files that are not there. */
  open(scope?: ReadingScope): Promise<PageSession>;
}
