import type { Jobs } from "../jobs/jobs.js";
import type { ClientLimits } from "../protocol/client-limits.js";
import type { Answer } from "./answer.js";
import type { Input, InputSchema } from "./arguments.js";

/** One tool: what the client is told of it, and what a call does. */
export interface Tool {
  definition: ToolDefinition;
  call(input: Input, call: Call): Promise<ToolResult>;
}

interface ToolDefinition {
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
  /** Aborts when the client cancels the call or is gone. */
  signal: AbortSignal;
  /** `undefined`: the client did not ask for progress. */
  progress: ((count: number, message: string) => Promise<void>) | undefined;
}

export interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [key: string]: unknown;
}

/**
 * The same JSON object as text and as structure: some hosts show their model only the one, some only the other. It fits
 * {@link OUTPUT_SCHEMA} also when the call failed, since clients check that.
 */
export function toResult(answer: Answer): ToolResult {
  return { ...textResult(answer), structuredContent: answer };
}

/** The answer as text alone. */
export function textResult(answer: Answer): ToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer, null, 2) }],
    ...(answer.success ? {} : { isError: true }),
  };
}

/** Loose, so that no answer is refused for a key that a newer version adds. */
export const OUTPUT_SCHEMA = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    status: { type: "string" },
    job_id: { type: "string" },
    result: { type: "string" },
    verified: { type: "boolean" },
    metadata: { type: "object" },
    error: { type: "object" },
  },
  required: ["success"],
};

/** Claude Code puts a longer result into a file and shows its beginning alone, unless the tool says this. */
export const WHOLE_RESULT = { "anthropic/maxResultSizeChars": 500_000 };

/** Asks the web and changes nothing. */
export const RESEARCH_ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
