import type { ClientLimits } from "../clients/client-limits.js";
import type { Failure } from "../jobs/failure.js";
import type { Jobs } from "../jobs/jobs.js";
import type { Input } from "./arguments.js";
import type { ToolDefinition } from "./definitions/index.js";
import type { FindRoots } from "./own-files.js";
import type { ToolResult } from "./result.js";
import type { FindOffload } from "./tasks.js";

/** One tool: what the client is told of it, and what a call does. */
export interface Tool {
  definition: ToolDefinition;
  /** It asks for no research: a limit of those does not count its calls. */
  readonly asksNothing?: true;
  call(input: Input, call: Call): Promise<ToolResult>;
  /** A call that failed, as the result of this tool. Default: as most tools answer. */
  failed?(failure: Failure): ToolResult;
}

/** What a call may use. */
export interface Call {
  jobs: Jobs;
  limits: ClientLimits;
  /** Where long reports are worked on. Default: in place. */
  offload?: FindOffload | undefined;
  /** Folders that documents may be named in. Default: none. */
  roots?: FindRoots | undefined;
  /** Rounds that a deep search may be asked for. */
  maxRounds: number;
  /** When the call came, by `performance.now()`: its client waits since then. */
  arrivedMs: number;
  /** Aborts when the call ends before its answer; its reason is a `CallEnd`. */
  signal: AbortSignal;
  /** `undefined`: the client did not ask for progress. */
  progress: ((count: number, message: string) => Promise<void>) | undefined;
}
