import { readingPrompt } from "./reading.js";

/** The five templates, as text with `{{placeholders}}`. */
export interface Prompts {
  /** Of `search`: `query`, `filters`, `reading`. */
  search: string;
  /** Of the first round of `deepSearch`: `query`, `filters`, `reading`. */
  deepSearch: string;
  /** Of its later rounds: also `current_result`, `claims`, `gaps`, `round`, `max_rounds`. */
  verify: string;
  /** Of the correction of an answer: `json_example`, `file_path`. */
  correction: string;
  /** Of `deepResearch`: `topic`, `depth`, `model`. */
  research: string;
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

/**
 * Fills a template of this package. `{{today}}` and `{{boundary}}` are there for every one; the boundary is new each
 * time, so that text from the web cannot close the block it stands in. Limits, and the page tool, are told behind a template
 * that has no place for them.
 */
export function fillPrompt(
  template: string,
  values: Readonly<Record<string, string>>,
  { now, boundary }: { now: number; boundary: string },
): string {
  const text = renderPrompt(template, { today: new Date(now).toISOString().slice(0, 10), boundary, ...values });
  const { filters = "", reading = "" } = values;
  // A template of one's own knows what the CLI itself reads with.
  const told = template.includes("{{reading}}") || reading === readingPrompt("google") ? "" : reading;
  const left = [template.includes("{{filters}}") ? "" : filters, told];
  return [text, ...left.filter((section) => section !== "").map((section) => `${section}\n`)].join("\n\n");
}
