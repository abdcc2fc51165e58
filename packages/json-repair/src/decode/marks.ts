/** The marks that models put around their thoughts. */

const TOKEN =
  "(?:(?:\\w{1,20}[:_-]|ant)?(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|cot|analysis|scratchpad|rationale|deliberation|plan(?:ning)?|drafts?)";
/** The one table, for texts that are whole and for those that arrive. What a mark that closes has in it is a group. */
const MARK = new RegExp(
  [
    `<\\|?(/|end_(?:of_)?)?(?:start_|begin_(?:of_)?)?${TOKEN}(?:[_-](?:content|process|reason(?:ing)?|steps?|block|fast(?:er)?|start|begin|(end)))?\\b[^<>/]{0,60}>`,
    "\\[(/)?THINK\\]|◁(/)?think▷|<unused9(?:4|(5))>|<\\|channel>thought|(<channel\\|>)",
    // Ollama prints these lines once, around all that came as the thought.
    "^Thinking\\.{3}\\n|(\\n\\.{3}done thinking\\.)",
    // Harmony: any number of messages to think in, one behind the other, ends with the final one.
    "<\\|channel\\|>\\s{0,20}(?:analysis|commentary|(final))",
  ].join("|"),
  "iy",
);
/** A thought may stand in another one: it ends with as many closing marks as opening ones. Not so of these marks. */
const FLAT = /^(?:<\|channel\||T|\n)/;

/** The mark of a thought that stands at `at`: where it ends, and in how many thoughts the text behind it stands. */
export function thoughtMark(text: string, at: number, depth: number): { end: number; depth: number } | undefined {
  MARK.lastIndex = at;
  const [mark, ...closing] = MARK.exec(text) ?? [];
  if (mark === undefined) return undefined;
  const closes = closing.some((one) => one !== undefined);
  const flat = FLAT.test(mark);
  const behind = closes ? (flat ? 0 : Math.max(0, depth - 1)) : flat ? Math.max(1, depth) : depth + 1;
  return { end: at + mark.length, depth: behind };
}

/** So far back a quote is looked for that stands before a mark. */
export const QUOTED_WITHIN = 200;

/** Whether a thought tells of the mark, in double quotes on one line; `undefined` if the text breaks off before that is known. */
export function isQuotedMark(text: string, at: number, end: number): boolean | undefined {
  const line = text.slice(Math.max(0, at - QUOTED_WITHIN), at).replace(/^.*\n/s, "");
  if (line.split('"').length % 2 === 1) return false;
  const behind = text.slice(end, end + QUOTED_WITHIN);
  const sign = /["\n[{]/.exec(behind)?.[0];
  return sign === undefined && behind.length < QUOTED_WITHIN ? undefined : sign === '"';
}

/** No mark is longer. */
export const MARK_LENGTH = 120;
