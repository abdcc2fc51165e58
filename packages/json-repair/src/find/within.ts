import type { InCourse } from "./course.js";
import type { WorkBudget } from "./work-budget.js";

/** Texts that stand in others and are searched in their turn. */

/** A string in a string in an envelope …: more levels than anything real has. */
export const MAX_LEVELS = 5;

/** What a text stands in. */
export interface Within {
  level: number;
  /** For all texts together. */
  budget?: WorkBudget;
  place?: InCourse | undefined;
}
export const OUTERMOST: Within = { level: 0 };

/** How a text was made from the one around it, and whether nothing else may have been meant. */
export interface Making {
  made?: "encoding" | "envelope";
  sure?: boolean;
  place?: InCourse | undefined;
}
