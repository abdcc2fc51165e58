/** The marks that models put around their thoughts. */

const TAG =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|monologue)|reflection|analysis|scratchpad|rationale|deliberation|plan(?:ning)?)";
const SPECIAL = "(?:think(?:ing)?|thoughts?|reasoning)\\|>";

/** A mark of thoughts; group 1 holds the name of a channel. */
export const THOUGHT = new RegExp(
  [
    "\\[\\/?THINK\\]",
    `<\\/?${TAG}\\b[^<>]{0,60}>`,
    `<\\|(?:\\/|begin_of_|end_of_|start_|end_)?${SPECIAL}`,
    "<\\|channel\\|>\\s*(\\w+)",
    "<unused94>thought|<unused95>",
    "◁\\/?think▷",
  ].join("|"),
  "iy",
);

/** Whether the mark, of a tag, ends a thought. */
export function closesThought(mark: string): boolean {
  return /^(?:.\/|<\|(?:\/|end_)|<unused95)/i.test(mark);
}

/** Where the thought ends that `from` stands in, -1 if it does not. */
export function endOfThought(text: string, from: number): number {
  const close = new RegExp(
    `<\\/${TAG}\\b|<\\|(?:\\/|end_(?:of_)?)${SPECIAL}|\\[\\/THINK\\]|<\\|channel\\|>\\s*final|<unused95>|◁\\/think▷|<\\|end\\|>`,
    "giu",
  );
  close.lastIndex = from;
  return close.exec(text)?.index ?? -1;
}

/** Where a thought ends that no mark began, as Ollama prints it; -1 if none does. */
export function endOfPrintedThought(text: string): number {
  return text.startsWith("Thinking...") ? text.indexOf("\n...done thinking.") : -1;
}
