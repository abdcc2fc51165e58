/** The marks that models put around their thoughts. */

const NAME =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|analysis|scratchpad|rationale|deliberation|plan(?:ning)?|drafts?)(?:[_-](?:content|process|fast(?:er)?))?";
const TOKEN = "(?:thinking|thought|think|reasoning)";

const OPENS = new RegExp(
  [
    "\\[THINK\\]",
    `<${NAME}\\b[^<>/]{0,60}>`,
    `<\\|(?:start_|begin_of_|begin_)?${TOKEN}\\|>`,
    "<\\|channel\\|>\\s{0,20}(?:analysis|commentary)\\w*",
    "<\\|channel>thought",
    "<unused94>",
    "◁think▷",
  ].join("|"),
  "iy",
);

const CLOSES_HERE = new RegExp(
  [
    "\\[/THINK\\]",
    `</${NAME}\\b[^<>]{0,60}>`,
    `<\\|(?:/|end_of_|end_)${TOKEN}\\|>`,
    "<\\|channel\\|>\\s{0,20}final\\b",
    "<channel\\|>",
    "<unused95>",
    "◁/think▷",
  ].join("|"),
  "iy",
);

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

/** What a mark may begin with. */
const MARK = /[<[◁]/g;
/** No mark is longer. */
export const MARK_LENGTH = 120;
/** Marks that begin as a list does. */
const SQUARE = ["[THINK]", "[/THINK]"];

/** Whether a text that begins with a square bracket may become the mark of a thought. */
export function mayBecomeMark(text: string): boolean {
  return SQUARE.some((mark) => mark.startsWith(text.toUpperCase()));
}

/** Where the thought ends that `from` stands in, -1 if it does not. */
export function endOfThought(text: string, from: number): number {
  MARK.lastIndex = from;
  for (let match = MARK.exec(text); match; match = MARK.exec(text)) {
    CLOSES_HERE.lastIndex = match.index;
    if (CLOSES_HERE.test(text) || text.startsWith("<|end|>", match.index)) return match.index;
  }
  return -1;
}

/** What Ollama prints around a thought, at the start of the text and on a line of its own. */
export const PRINTED = { opens: "Thinking...", closes: "\n...done thinking." };

/** Where a thought ends that no mark began, as Ollama prints it; -1 if none does. */
export function endOfPrintedThought(text: string): number {
  return text.startsWith(PRINTED.opens) ? text.indexOf(PRINTED.closes) : -1;
}
