/** Control characters, and marks that turn the direction of what follows: no reader sees them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: pages hold what they like
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The text without characters that only harm: the boundary between parts of a page is one of them. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}
