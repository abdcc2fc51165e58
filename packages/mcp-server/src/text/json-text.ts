/** What a terminal could obey, or show in another order than it stands there. */
const STEERS = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that is safe to be read in a terminal too: `JSON.stringify` escapes no control characters but the first 32. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(STEERS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
