import type { PrewarmRequest, RunEvent, RunRequest } from "@x/gemini-runner";
import type { PageAccess, PageRecord, Prompts, ReadingScope, ResearchEvent } from "@x/research";
import type { PlainError } from "./error-text.js";
import type { JobTool } from "./kinds.js";

/** What a worker is started with. */
export interface WorkerSettings {
  prompts: Prompts;
  /** Folder of the finished rounds, and for how long they stay. */
  roundsDir: string;
  roundsKeepMs: number;
  /** Folder of the texts of pages. */
  pagesDir: string;
  /** Whether the main thread reads pages. */
  readsPages: boolean;
  /** Whether Gemini CLI may read pages beside it. */
  webFetch: boolean;
  model?: string;
  correctionModel?: string;
  researchTemplate?: string;
  timeoutMs: number;
  attempts: number;
  maxRounds: number;
}

/** One piece of work for a worker. */
export type Work =
  | { type: "research"; tool: JobTool; request: Record<string, unknown>; hasOwnStore: boolean }
  | { type: "task"; name: string; input: unknown };

/** To a worker: one piece of work at a time, and what comes of its calls. */
export type ToWorker =
  | Work
  | { type: "abort" }
  | { type: "ping" }
  | { type: "run-event"; call: number; event: RunEvent }
  | { type: "called"; call: number; value: unknown }
  | { type: "call-failed"; call: number; error: PlainError };

/** What only the main thread can do: it must be there to end processes and to remove files, has the connections, and reads pages. */
export type MainCall =
  | { name: "run"; request: RunRequest }
  | { name: "write-file"; text: string }
  | { name: "remove-file"; path: string }
  | { name: "load-rounds"; id: string }
  | { name: "save-rounds"; id: string; state: unknown }
  | { name: "open-pages"; scope: ReadingScope }
  | { name: "offer-pages"; records: readonly PageRecord[] }
  | { name: "page-access" }
  | { name: "page-reads"; access: number }
  | { name: "page-called"; access: number; tool: string; urls: readonly string[] }
  | { name: "page-spend"; access: number; characters: number }
  | { name: "close-access"; access: number };

/** The page tool for one run, by a number that both threads know. */
export interface GrantedAccess extends Pick<PageAccess, "mcpServers"> {
  access: number;
}

/** From a worker: what happens, how it ended and how large its heap is then, and what it wants of the main thread. */
export type FromWorker =
  | { type: "event"; event: ResearchEvent }
  | { type: "done"; value: unknown; heapBytes?: number }
  | { type: "failed"; error: PlainError; heapBytes?: number }
  | { type: "pong" }
  | { type: "call"; call: number; wanted: MainCall }
  | { type: "abort-call"; call: number }
  | { type: "prewarm"; request: PrewarmRequest };
