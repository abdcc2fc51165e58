/** Raised and lowered figures, as characters: `10<sup>3</sup>` is `10³`, never `103`. */

const PLAIN = "0123456789+-−=()n";
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ";
const LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ";
/** A longer one is no exponent. */
const LONGEST = 12;

/** Gives raised text: a footnote in brackets, an exponent in small figures, else behind `^`. */
export function raised(text: string, isReference: boolean): string {
  const inside = text.trim();
  if (inside === "") return "";
  if (isReference || /^\[[^\]]{1,30}\]$/.test(inside)) return inside.startsWith("[") ? inside : `[${inside}]`;
  return small(inside, RAISED) ?? (/^(?:st|nd|rd|th|er|re|e|o|a|ème|TM|®|™)$/i.test(inside) ? inside : `^(${inside})`);
}

/** Gives lowered text: an index in small figures, else as it is behind `_`. */
export function lowered(text: string): string {
  const inside = text.trim();
  return inside === "" ? "" : (small(inside, LOWERED) ?? `_(${inside})`);
}

function small(text: string, forms: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const units = Array.from(text, (char) => Array.from(forms)[Array.from(PLAIN).indexOf(char)]);
  return units.includes(undefined) ? undefined : units.join("");
}
