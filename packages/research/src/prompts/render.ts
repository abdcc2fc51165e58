import { type ReadingTools, readingPrompt } from "./reading.js";

/**
 * The templates, as text with `{{placeholders}}`. Those that search have `{{today}}`, `{{boundary}}`, `{{search_tool}}`,
 * `{{read_tool}}` and `{{reading}}`, the section on how pages are read.
 */
export interface Prompts {
  /** Of `search`: `query`, `earlier`, `filters`, `plan`, `data`. */
  search: string;
  /** Of the first round of `deepSearch`: `query`, `earlier`, `filters`, `plan`, `data`. */
  deepSearch: string;
  /** Of its later rounds: without `plan`, and `current_result`, `claims`, `gaps`, `round`, `max_rounds`. */
  verify: string;
  /** Of the correction of an answer: `json_example`, `file_path`. */
  correction: string;
  /** Of `deepResearch`: `topic`, `depth`, `model`. */
  research: string;
  /**
   * What stands in the place of `earlier` in a follow-up: `earlier_date`, `earlier_query`, `earlier_report`,
   * `earlier_claims`, `kept_pages`. Default: the built-in text.
   */
  followUp?: string;
  /** The same where an earlier question is researched anew: `earlier_date`, `earlier_claims`. Default: the built-in text. */
  refresh?: string;
  /** What stands in the place of `data` where data of a shape is wanted: `schema`. Default: the built-in text. */
  data?: string;
  /** Of `planResearch`: `query`, `earlier`, `filters`, `how_many`. Default: the built-in text. */
  plan?: string;
  /** What stands in the place of `plan` where a plan says what is searched: `plan_aspects`, `plan_queries`. Default: the built-in text. */
  byPlan?: string;
}

/**
 * Fills `{{name}}` in one pass: a value is never read as a template, and `$&` stays `$&`. A placeholder without a
 * value stays as it is.
 */
export function renderPrompt(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : whole,
  );
}

/** What is the same for every template of one run. */
export interface PromptGround {
  /** Milliseconds since 1970. */
  now: number;
  /** New each time, so that text from the web cannot close the block it stands in. */
  boundary: string;
  /** The tool that searches. */
  searchTool: string;
  /** What reads pages. */
  reading: ReadingTools;
}

/** Fills a template of this package. Limits, and the page tool, are told behind a template that has no place for them. */
export function fillPrompt(
  template: string,
  values: Readonly<Record<string, string>>,
  { now, boundary, searchTool, reading }: PromptGround,
): string {
  const section = readingPrompt(reading);
  const text = renderPrompt(template, {
    today: new Date(now).toISOString().slice(0, 10),
    boundary,
    search_tool: searchTool,
    read_tool: reading.told ?? (reading.own ? "read_page" : searchTool),
    reading: section,
    ...values,
  });
  // A template of one's own knows what the program itself reads with.
  const told = reading.own && !template.includes("{{reading}}") ? section : "";
  const left = ["earlier", "filters", "plan", "data"].map((name) =>
    template.includes(`{{${name}}}`) ? "" : (values[name] ?? ""),
  );
  return [text, ...[...left, told].filter((section) => section !== "").map((section) => `${section}\n`)].join("\n\n");
}
