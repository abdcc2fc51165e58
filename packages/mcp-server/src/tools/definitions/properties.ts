import type { Property } from "./tool-definition.js";

export const WAIT_SECONDS = {
  type: "number",
  minimum: 0,
  maximum: 3600,
  description: "Longest wait; 0 to work meanwhile",
} as const;

export const JOB_ID = {
  type: "string",
  description: "From an answer that is running or paged",
} as const;

/** What every question may say besides itself. */
export const QUESTION_PROPERTIES = {
  query: {
    type: "string",
    maxLength: 50_000,
    description: "A full question with context, not keywords",
  },
  allowed_domains: { type: "array", items: { type: "string" }, description: "If only these sites count, as who.int" },
  blocked_domains: { type: "array", items: { type: "string" }, description: "If these must not be used" },
  recency: { type: "string", enum: ["day", "week", "month", "year"], description: "If older pages do not count" },
  files: { type: "array", items: { type: "string" }, description: "To read own files: globs" },
  web: { type: "boolean", description: "false to read files alone" },
  language: { type: "string", description: "If not the question's" },
  model: { type: "string", description: "If the user names one" },
  follow_up_of: { type: "string", description: "To ask on from this job_id" },
  output_schema: { type: "object", description: "To get `data`: JSON Schema" },
  plan_only: { type: "boolean", description: "To show queries and cost first" },
  plan: { type: "object", description: "After plan_only, if approved" },
  wait_seconds: WAIT_SECONDS,
} satisfies Record<string, Property>;
