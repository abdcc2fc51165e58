import type { Property } from "./tool-definition.js";

export const WAIT_SECONDS = {
  type: "number",
  minimum: 0,
  maximum: 3600,
  description: "Longest wait",
} as const;

export const JOB_ID = {
  type: "string",
  description: "From an earlier answer",
} as const;

/** What every question may say besides itself. */
export const QUESTION_PROPERTIES = {
  query: {
    type: "string",
    maxLength: 50_000,
    description: "A full question with context, not keywords",
  },
  allowed_domains: { type: "array", items: { type: "string" }, description: "Only these, as who.int" },
  blocked_domains: { type: "array", items: { type: "string" }, description: "None of these" },
  recency: { type: "string", enum: ["day", "week", "month", "year"], description: "Newest pages only" },
  files: { type: "array", items: { type: "string" }, description: "Own files: globs" },
  web: { type: "boolean", description: "false: files alone" },
  language: { type: "string", description: "Of the report" },
  model: { type: "string", description: "Gemini model" },
  follow_up_of: { type: "string", description: "job_id to ask on from" },
  output_schema: { type: "object", description: "JSON Schema of `data`" },
  plan_only: { type: "boolean", description: "Show queries and cost first" },
  plan: { type: "object", description: "The approved plan" },
  wait_seconds: WAIT_SECONDS,
} satisfies Record<string, Property>;
