import { RESEARCH_ANNOTATIONS, type ToolDefinition } from "./tool-definition.js";

export const deepResearchDefinition: ToolDefinition = {
  name: "deep_research",
  title: "Deep research",
  description: "Older form; prefer deep_search. One run that nothing checks, 1-5 minutes.",
  inputSchema: {
    type: "object",
    properties: {
      topic: { type: "string", maxLength: 50_000, description: "What to research, in full sentences" },
      depth: { type: "string", enum: ["concise", "detailed"], description: "concise if a summary will do" },
    },
    required: ["topic"],
  },
  annotations: RESEARCH_ANNOTATIONS,
};
