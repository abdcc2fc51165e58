import type { ClientLimits } from "../clients/client-limits.js";
import type { Failure } from "../jobs/failure.js";
import type { Jobs } from "../jobs/jobs.js";
import type { Input, InputSchema } from "./arguments.js";
import type { ToolResult } from "./result.js";
import type { FindOffload } from "./tasks.js";

/** One tool: what the client is told of it, and what a call does. */
export interface Tool {
  definition: ToolDefinition;
  call(input: Input, call: Call): Promise<ToolResult>;
  /** A call that failed, as the result of this tool. Default: as most tools answer. */
  failed?(failure: Failure): ToolResult;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  outputSchema?: object;
  annotations: object;
  _meta?: object;
}

/** What a call may use. */
export interface Call {
  jobs: Jobs;
  limits: ClientLimits;
  /** Where long reports are worked on. Default: in place. */
  offload?: FindOffload | undefined;
  /** Rounds that a deep search may be asked for. */
  maxRounds: number;
  /** Aborts when the call ends before its answer; its reason is a `CallEnd`. */
  signal: AbortSignal;
  /** `undefined`: the client did not ask for progress. */
  progress: ((count: number, message: string) => Promise<void>) | undefined;
}

/** Loose, so that no answer is refused for a key that a newer version adds. */
export const OUTPUT_SCHEMA = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    status: { type: "string", enum: ["completed", "running"] },
    job_id: { type: "string" },
    result: { type: "string" },
    verified: { type: "boolean" },
    metadata: {
      type: "object",
      properties: { next: {}, page: {}, pages: {}, warnings: {}, evidence: {} },
    },
    error: { type: "object", properties: { code: {}, message: {}, details: {} } },
  },
  required: ["success"],
};

/** Claude Code puts a longer result into a file and shows its beginning alone, unless the tool says this. */
export const WHOLE_RESULT = { "anthropic/maxResultSizeChars": 500_000 };

/** Asks the web and changes nothing: what the other two hints say then goes without saying. */
export const RESEARCH_ANNOTATIONS = { readOnlyHint: true, openWorldHint: true };
