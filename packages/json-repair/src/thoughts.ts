/** The marks that models put around their thoughts. */

const NAME =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|analysis|scratchpad|rationale|deliberation|plan(?:ning)?|drafts?)(?:[_-](?:content|process|fast(?:er)?))?";
const TOKEN = "(?:thinking|thought|think|reasoning)";

const OPENS = new RegExp(
  [
    "\\[THINK\\]",
    `<${NAME}\\b[^<>/]{0,60}>`,
    `<\\|(?:start_|begin_of_|begin_)?${TOKEN}\\|>`,
    "<\\|channel\\|>\\s*(?:analysis|commentary)\\w*",
    "<\\|channel>thought",
    "<unused94>",
    "◁think▷",
  ].join("|"),
  "iy",
);

const CLOSES = [
  "\\[/THINK\\]",
  `</${NAME}\\b[^<>]{0,60}>`,
  `<\\|(?:/|end_of_|end_)${TOKEN}\\|>`,
  "<\\|channel\\|>\\s*final\\b",
  "<channel\\|>",
  "<unused95>",
  "◁/think▷",
].join("|");
const CLOSES_HERE = new RegExp(CLOSES, "iy");

/** The mark that stands at `at`, and where it ends. */
export function thoughtMark(text: string, at: number): { opens: boolean; end: number } | undefined {
  for (const [pattern, opens] of [
    [OPENS, true],
    [CLOSES_HERE, false],
  ] as const) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { opens, end: pattern.lastIndex };
  }
  return undefined;
}

/** Where the thought ends that `from` stands in, -1 if it does not. */
export function endOfThought(text: string, from: number): number {
  const close = new RegExp(`${CLOSES}|<\\|end\\|>`, "gi");
  close.lastIndex = from;
  return close.exec(text)?.index ?? -1;
}

/** Where a thought ends that no mark began, as Ollama prints it; -1 if none does. */
export function endOfPrintedThought(text: string): number {
  return text.startsWith("Thinking...") ? text.indexOf("\n...done thinking.") : -1;
}
