import type { RunEvent, RunRequest } from "@x/gemini-runner";
import type { Prompts, ResearchEvent } from "@x/research";
import type { JobTool } from "./ask.js";
import type { PlainError } from "./error-text.js";

/** What a worker is started with. */
export interface WorkerSettings {
  prompts: Prompts;
  /** Folder of the finished rounds. */
  roundsDir: string;
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

/** What only the main thread can do: it must be there to end processes and to remove files, and it has the connections. */
export type MainCall =
  | { name: "run"; request: RunRequest }
  | { name: "write-file"; text: string }
  | { name: "remove-file"; path: string }
  | { name: "load-rounds"; id: string }
  | { name: "save-rounds"; id: string; state: unknown };

/** From a worker: what happens, how it ended and how large its heap is then, and what it wants of the main thread. */
export type FromWorker =
  | { type: "event"; event: ResearchEvent }
  | { type: "done"; value: unknown; heapBytes?: number }
  | { type: "failed"; error: PlainError; heapBytes?: number }
  | { type: "pong" }
  | { type: "call"; call: number; wanted: MainCall }
  | { type: "abort-call"; call: number }
  | { type: "prewarm"; model?: string | null };
