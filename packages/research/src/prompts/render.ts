/** The five templates, as text with `{{placeholders}}`. */
export interface Prompts {
  /** Of `search`: `query`, `filters`. */
  search: string;
  /** Of the first round of `deepSearch`: `query`, `filters`. */
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
 * time, so that text from the web cannot close the block it stands in. Limits that the template has no place for
 * follow it.
 */
export function fillPrompt(
  template: string,
  values: Readonly<Record<string, string>>,
  { now, boundary }: { now: number; boundary: string },
): string {
  const text = renderPrompt(template, { today: new Date(now).toISOString().slice(0, 10), boundary, ...values });
  const { filters = "" } = values;
  return filters === "" || template.includes("{{filters}}") ? text : `${text}\n\n${filters}\n`;
}
