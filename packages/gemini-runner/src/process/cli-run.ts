import type { GuardNote } from "../cli/guard-notes.js";
import type { KnownReplies, RunRecord } from "../cli/session-file.js";
import type { StreamLine } from "../cli/stream-json.js";
import type { KeyPlace } from "../errors/key-place.js";
import type { RunnerError } from "../errors/runner-error.js";
import type { Deadline } from "./deadlines.js";
import type { Inbox } from "./inbox.js";

/** What a run of the CLI says, and what is said to the one that reads it. */
export type CliEvent =
  /** In the CLI's own format. */
  | { type: "line"; line: StreamLine }
  /** Lines of stdout in no known format. */
  | { type: "plain"; text: string }
  /** Lines of stderr. */
  | { type: "stderr"; text: string }
  | { type: "guard"; note: GuardNote }
  /** Nothing comes after it. */
  | { type: "exit"; exit: Exit }
  /** The run is to end for this reason. */
  | { type: "stop"; error: RunnerError }
  | { type: "deadline"; deadline: Deadline };

/** How a program ended. */
export interface Exit {
  exitCode?: number;
  signal?: string;
}

/** One run of the CLI, from before its prompt to after its last word. */
export interface CliRun {
  /** Of the process that serves it. */
  readonly pid: number;
  /** Of the CLI. `undefined`: it is a program of another kind. */
  readonly version: string | undefined;
  /** The key that its process was started with, where a variable held it. */
  readonly key: KeyPlace | undefined;
  readonly inbox: Inbox<CliEvent>;
  /** Whether it is over, or its own program has ended: no prompt can be given any more, and what is heard now was said before. */
  readonly exited: boolean;
  /** Gives the prompt to the process. Call it once. */
  send(prompt: string): void;
  /** Ends it: politely first, by force after the grace period. */
  stop(): void;
  /** Ends it at once. */
  kill(): void;
  /** Ends it when it has said all. */
  finish(): void;
  /** Lets our program end while the run only waits for its prompt. */
  release(): void;
  /** From now on the run keeps our program from ending. */
  hold(): void;
  /** What the CLI itself has recorded of the run. */
  record(known: KnownReplies | undefined): Promise<RunRecord | undefined>;
  /** Resolves when it has said all. */
  readonly over: Promise<void>;
  /** Resolves when nothing of it is left. Rejects when its folder could not be removed. */
  gone(): Promise<void>;
}
