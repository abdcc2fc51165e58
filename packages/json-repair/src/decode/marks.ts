/** The marks that models put around their thoughts. */

const NAME =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|cot|analysis|scratchpad|rationale|deliberation|plan(?:ning)?|drafts?)(?:[_-](?:content|process|reason(?:ing)?|steps?|block|fast(?:er)?))?";
const TOKEN = "(?:thinking|thought|think|reasoning)";

const OPENS = new RegExp(
  [
    "\\[THINK\\]",
    `<${NAME}\\b[^<>/]{0,60}>`,
    `<\\|(?:start_|begin_of_|begin_)?${TOKEN}(?:_start|_begin)?\\|>`,
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
    `<\\|(?:(?:/|end_of_|end_)${TOKEN}|${TOKEN}_end)\\|>`,
    "<\\|channel\\|>\\s{0,20}final\\b",
    "<channel\\|>",
    "<unused95>",
    "◁/think▷",
  ].join("|"),
  "iy",
);

/** It opens a thought by closing what was before. */
const SWITCH = "<|channel|>";

/** The mark of a thought. */
export interface ThoughtMark {
  opens: boolean;
  end: number;
  /** A thought that it opens may stand in another one. */
  nests: boolean;
}

/** The mark that stands at `at`, and where it ends. */
export function thoughtMark(text: string, at: number): ThoughtMark | undefined {
  for (const [pattern, opens] of [
    [OPENS, true],
    [CLOSES_HERE, false],
  ] as const) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { opens, end: pattern.lastIndex, nests: !text.startsWith(SWITCH, at) };
  }
  return undefined;
}

/** So far back a quote is looked for that stands before a mark. */
export const QUOTED_WITHIN = 200;
/** What ends the looking for the quote behind a mark. */
const QUOTE_ENDS = /["\n[{]/g;

/**
 * Whether a thought tells of the mark instead of ending with it: `"</think>"`, on one line in double quotes.
 * `undefined`: the text breaks off before that is known.
 */
export function isQuotedMark(text: string, at: number, end: number): boolean | undefined {
  const before = text.slice(Math.max(0, at - QUOTED_WITHIN), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.split('"').length % 2 === 1) return false;
  const behind = text.slice(end, end + QUOTED_WITHIN);
  const sign = behind.match(QUOTE_ENDS)?.[0];
  if (sign === undefined && behind.length < QUOTED_WITHIN) return undefined;
  return sign === '"';
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
    if (text.startsWith("<|end|>", match.index)) return match.index;
    if (CLOSES_HERE.test(text) && !isQuotedMark(text, match.index, CLOSES_HERE.lastIndex)) return match.index;
  }
  return -1;
}

/** What Ollama prints around a thought, at the start of the text and on a line of its own. */
export const PRINTED = { opens: "Thinking...", closes: "\n...done thinking." };

/** Where a thought ends that no mark began, as Ollama prints it; -1 if none does. */
export function endOfPrintedThought(text: string): number {
  return text.startsWith(PRINTED.opens) ? text.indexOf(PRINTED.closes) : -1;
}
