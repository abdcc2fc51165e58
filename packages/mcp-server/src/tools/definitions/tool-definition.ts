/** The part of JSON Schema that the tools' inputs need: one flat object. */
export interface InputSchema {
  type: "object";
  properties: Record<string, Property>;
  required?: readonly string[];
}

export type Property = { description?: string } & (
  | { type: "string"; maxLength?: number; enum?: readonly string[] }
  | { type: "integer" | "number"; minimum?: number; maximum?: number }
  | { type: "boolean" }
  | { type: "object" }
  | { type: "array"; items: { type: "string" }; maxItems?: number }
);

/** What a client is told of a tool. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  outputSchema?: object;
  annotations: object;
  _meta?: object;
}

/**
 * Loose, so that no answer is refused for a key that a newer version adds; and short, since two tools send it: fields of
 * metadata and error are named in words, which take less room than empty schemas.
 */
export const OUTPUT_SCHEMA = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    status: { enum: ["completed", "running"] },
    job_id: {},
    result: {},
    verified: {},
    metadata: {
      description:
        "next, warnings, evidence, model, query, timestamp, duration_ms, iterations, rounds, sources_visited, search_queries_used",
    },
    error: { description: "code, message, details, reason, retry_after_ms, scope" },
  },
};

/** Of the tool that gives the answer of another one later: what is in it is said there. */
export const LATER_OUTPUT_SCHEMA = {
  ...OUTPUT_SCHEMA,
  properties: { ...OUTPUT_SCHEMA.properties, metadata: { description: "as of a search" }, error: {} },
};

/** Claude Code puts a longer result into a file and shows its beginning alone, unless the tool says this. */
export const WHOLE_RESULT = { "anthropic/maxResultSizeChars": 500_000 };

/** Changes nothing, and asks the web, which goes without saying, as do the other hints. */
export const RESEARCH_ANNOTATIONS = { readOnlyHint: true };
