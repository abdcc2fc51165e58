import { promptFiles } from "./prompts.generated.js";
import type { Prompts } from "./render.js";

/** The file of each template in the prompts folder. */
export const PROMPT_FILES = {
  search: "search-prompt.md",
  deepSearch: "deep-search-prompt.md",
  verify: "verify-prompt.md",
  correction: "correction-prompt.md",
  research: "research-prompt.md",
  followUp: "follow-up-prompt.md",
  refresh: "refresh-prompt.md",
  data: "data-prompt.md",
  plan: "plan-prompt.md",
  byPlan: "by-plan-prompt.md",
} as const satisfies Record<keyof Prompts, keyof typeof promptFiles>;

/** The templates as they were when the package was built. */
export const builtInPrompts: Required<Prompts> = {
  search: promptFiles[PROMPT_FILES.search],
  deepSearch: promptFiles[PROMPT_FILES.deepSearch],
  verify: promptFiles[PROMPT_FILES.verify],
  correction: promptFiles[PROMPT_FILES.correction],
  research: promptFiles[PROMPT_FILES.research],
  followUp: promptFiles[PROMPT_FILES.followUp],
  refresh: promptFiles[PROMPT_FILES.refresh],
  data: promptFiles[PROMPT_FILES.data],
  plan: promptFiles[PROMPT_FILES.plan],
  byPlan: promptFiles[PROMPT_FILES.byPlan],
};
