import { type Derived, derive } from "./derived.js";

/** Without the backslashes that Markdown puts before its signs: `\[\{"a\_b": 1\}\]`. */
export function withoutMarkdownEscapes(text: string): Derived | undefined {
  return derive(text, /\\[\\[\]{}()_*#+.!|<>~`-]/g, (sign) => (sign === "\\\\" ? sign : sign.slice(1)));
}

/** `\[ [1, 2] \]` is a formula: what escapes for Markdown leaves out no bracket of a kind. */
export function isFormula(text: string): boolean {
  return [..."[{"].some((bracket) => {
    return text.includes(`\\${bracket}`) && text.replaceAll(`\\${bracket}`, "").includes(bracket);
  });
}
