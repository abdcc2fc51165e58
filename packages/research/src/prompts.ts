/** The five templates, as text with `{{placeholders}}`. */
export interface Prompts {
  search: string;
  deepSearch: string;
  verify: string;
  correction: string;
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
