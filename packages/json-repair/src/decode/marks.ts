/** The marks that models put around their thoughts. */

const NAME =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|cot|analysis|scratchpad|rationale|deliberation|plan(?:ning)?|drafts?)(?:[_-](?:content|process|reason(?:ing)?|steps?|block|fast(?:er)?))?";
const TOKEN = "(?:thinking|thought|think|reasoning)";

/** The one table, for texts that are whole and for those that arrive. */
const MARKS = [
  // A thought may stand in another one: it ends with as many closing marks as opening ones.
  {
    nests: true,
    opens: new RegExp(
      `\\[THINK\\]|<${NAME}\\b[^<>/]{0,60}>|<\\|(?:start_|begin_of_|begin_)?${TOKEN}(?:_start|_begin)?\\|>|<\\|channel>thought|<unused94>|◁think▷`,
      "iy",
    ),
    closes: new RegExp(
      `\\[/THINK\\]|</${NAME}\\b[^<>]{0,60}>|<\\|(?:(?:/|end_of_|end_)${TOKEN}|${TOKEN}_end)\\|>|<channel\\|>|<unused95>|◁/think▷`,
      "iy",
    ),
  },
  // Harmony does not nest: a mark names the channel of the message behind it, and no message stands in another one. Any
  // number of messages to think in, one behind the other, ends with the final one.
  {
    nests: false,
    opens: /<\|channel\|>\s{0,20}(?:analysis|commentary)\w*/iy,
    closes: /<\|channel\|>\s{0,20}final\b/iy,
  },
  // Ollama prints these lines once, around all that came as the thought: the first one that ends it is its end.
  { nests: false, opens: /^Thinking\.\.\.\n/y, closes: /\n\.\.\.done thinking\./y },
];

/** The mark of a thought. */
export interface ThoughtMark {
  opens: boolean;
  end: number;
  nests: boolean;
}

/** The mark that stands at `at`, and where it ends. */
export function thoughtMark(text: string, at: number): ThoughtMark | undefined {
  for (const does of ["opens", "closes"] as const)
    for (const { nests, [does]: pattern } of MARKS) {
      pattern.lastIndex = at;
      if (pattern.test(text)) return { opens: does === "opens", end: pattern.lastIndex, nests };
    }
  return undefined;
}

/** In how many thoughts the text behind a mark stands, when it stood in `depth` before. */
export function depthBehind(depth: number, { opens, nests }: ThoughtMark): number {
  if (nests) return Math.max(0, depth + (opens ? 1 : -1));
  return opens ? Math.max(1, depth) : 0;
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

/** No mark is longer. */
export const MARK_LENGTH = 120;
/** What a mark may begin with, beside the one at the start of a text. */
const SIGN = /[<[◁]|\n(?=\.{3}done)/g;

/** Where the thought ends that `from` stands in, -1 if it does not. */
export function endOfThought(text: string, from: number): number {
  SIGN.lastIndex = from;
  for (let match = SIGN.exec(text); match; match = SIGN.exec(text)) {
    if (text.startsWith("<|end|>", match.index)) return match.index;
    const mark = thoughtMark(text, match.index);
    if (mark?.opens === false && !isQuotedMark(text, match.index, mark.end)) return match.index;
  }
  return -1;
}
