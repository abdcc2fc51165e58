import type { ClientLimits } from "../../clients/client-limits.js";
import { deepResearchDefinition } from "./deep-research.js";
import { deepSearchDefinition } from "./deep-search.js";
import { researchCancelDefinition } from "./research-cancel.js";
import { researchResultDefinition } from "./research-result.js";
import { searchDefinition } from "./search.js";
import type { ToolDefinition } from "./tool-definition.js";

/** What clients are told of our tools, in the order in which they show them; without what the tools do. */
const DEFINITIONS: readonly ToolDefinition[] = [
  searchDefinition,
  deepSearchDefinition,
  deepResearchDefinition,
  researchResultDefinition,
  researchCancelDefinition,
];

/**
 * The definitions for one client: where it gets no structure it is promised none.
 *
 * @param shown Names of the tools that it may see. Default: all.
 */
export function definitionsFor(
  { structured }: Pick<ClientLimits, "structured">,
  {
    definitions = DEFINITIONS,
    shown,
  }: { definitions?: readonly ToolDefinition[]; shown?: readonly string[] | undefined } = {},
): ToolDefinition[] {
  return definitions
    .filter(({ name }) => shown?.includes(name) ?? true)
    .map(({ outputSchema, ...definition }) =>
      structured && outputSchema !== undefined ? { ...definition, outputSchema } : definition,
    );
}

export type { InputSchema, Property, ToolDefinition } from "./tool-definition.js";
export {
  deepResearchDefinition,
  deepSearchDefinition,
  researchCancelDefinition,
  researchResultDefinition,
  searchDefinition,
};
