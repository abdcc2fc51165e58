/// <reference types="node" preserve="true" />
/** Reading pages for the runs of a research: what they say, by their own bytes. */

export type {
  DocumentList,
  FailedRead,
  PageAccess,
  PageRead,
  PageRecord,
  PageSession,
  Pages,
  ReadingScope,
  RunReads,
} from "../page-reading.js";
export { createPages, type PagesHost, type PagesOptions } from "./create-pages.js";
