/** The bytes of a page, as they were received. */
export interface PageBytes {
  url: string;
  bytes: Uint8Array;
  /** As the header says it; empty when it does not. */
  contentType: string;
}

/** The text of a page, and what the page says of itself. */
export interface PageText {
  /** The main part; for HTML, behind a boundary, the whole page. */
  text: string;
  title?: string;
  author?: string;
  /** When it was published, as the page writes it. */
  published?: string;
  /** Where each page of a PDF begins in the text. */
  pageStarts?: number[];
  /** The line where the text begins, from 1, where the text is that of the file. */
  firstLine?: number;
}

/** It cannot be read as text; the message says why, for the model and the person. */
export class UnreadablePageError extends Error {
  override readonly name = "UnreadablePageError";
}
