/**
 * One pass over text that should be JSON: reads it the way it was meant, and notes what has to be changed to make it
 * JSON. The stack is explicit and every look ahead is bounded, so the time grows with the length of the text alone.
 */

import type { Brackets } from "./brackets.js";
import { runWithout } from "./strict.js";

/** What was wrong. The README says what becomes of each. */
export type RepairKind =
  | "trailing-comma"
  | "extra-comma"
  | "missing-comma"
  | "separator"
  | "missing-colon"
  | "extra-colon"
  | "missing-value"
  | "quotes"
  | "missing-quote"
  | "extra-quote"
  | "inner-quote"
  | "unquoted"
  | "concatenation"
  | "control-character"
  | "escape"
  | "literal"
  | "number"
  | "comment"
  | "whitespace"
  | "ellipsis"
  | "wrong-closer"
  | "missing-closer"
  | "extra-closer"
  | "missing-opener"
  | "wrong-opener"
  | "extra-opener"
  | "unclosed"
  /** Brackets, quotes or commas are left over beside the value: it may be a part of what was meant. */
  | "surroundings";

/** Replace `text.slice(at, end)` by `by`. Without a kind it belongs to the repair beside it. */
export interface Edit {
  at: number;
  end: number;
  by: string;
  /** `by` replaces the first and the last sign alone: what stands between them is kept. */
  around: boolean;
  kind: RepairKind | undefined;
  /** Whether the text allows no other reading. */
  sure: boolean;
}

export interface Rewritten {
  /** JSON, if the reading was right; the caller parses it. */
  json: string;
  /** Where the value ends. */
  end: number;
  edits: Edit[];
  /** False when the text ended inside the value. */
  complete: boolean;
  /** What the pass cost, in characters: edits cost more than what they stand for. */
  work: number;
  failed?: undefined;
}

export interface Unreadable {
  /**
   * `not-json`: what stands here is something else. `foreign`: a construct of another notation (a function call, a
   * regular expression). `escaped`: every quote has a backslash. `too-deep`: more levels than allowed.
   */
  failed: "not-json" | "foreign" | "escaped" | "too-deep";
  at: number;
  /** What the attempt cost, in characters. */
  work: number;
}

export interface RewriteOptions {
  maxDepth: number;
  /** The brackets of the text, counted when they are first asked for. */
  brackets: () => Brackets;
  /** Where the last double quote of the text stands, -1 if there is none. */
  lastQuote: number;
  /** Where the text ends for this value. Default: at its end. */
  limit?: number;
  /** The opening brace is missing: the value starts with its first key. */
  implied?: boolean;
  /** The value stands in a Markdown fence, whose end closes a string that broke off. */
  fenced?: boolean;
}

const OBJECT = 1;
const LIST = 2;
/** A list in round brackets. */
const TUPLE = 3;
type Frame = typeof OBJECT | typeof LIST | typeof TUPLE;

/** Which quotes end a string that was opened by the key. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"”',
  "'": "'’",
  "`": "`",
  "“": '”"“',
  "”": '”"“',
  "„": '“”"',
  "‘": "’'‘",
  "’": "’'",
  "«": "»",
  "＂": '＂"',
};

/** A longer key is not searched for a colon that should end it. */
const KEY_LENGTH = 120;
const QUOTES = "\"'`“”„‘’«＂";
const PLAIN = {
  '"': runWithout('"”'),
  "'": runWithout("'’\""),
  other: runWithout("\"'`“”„‘’«»＂"),
};
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_LIKE = /[+-]?(?:0[xX][\da-fA-F]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const GROUPED = /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?=\s*[,}\]\n])(?!,\d)/y;
/** The first line of a Markdown code block that names its language. */
const CODE_BLOCK = /\n[ \t]{0,8}```[\w+#.-]+[ \t]*\n/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
/** A quoted key or what is left of one, and its colon or the start of its value. */
const KEY_AHEAD =
  /(?:"[^"\n:]{0,120}|'[^'\n:]{0,120}|[“”„‘`«＂][^"“”‘’`»＂\n:]{0,120})(?:["'“”‘’`»＂]\s{0,40}(?:[:：={["']|-?\d)|:\s{0,40}["'\d[{tfn-]|$)/y;
const KEY_AND_COLON = /(?:"[^"\n]{0,120}["”]|'[^'\n]{0,120}'|[“”„‘`«＂][^"“”‘’`»＂\n]{0,120}["“”’`»＂])\s{0,40}[:：=]/y;
const KEY_AND_VALUE = /["'][^"'“”\n]{1,60}["']\s{0,40}:\s{0,40}(?:["'[{\d-]|true|false|null|[\w.-]{1,40}\s{0,40}[,}])/y;
const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$-]{0,60}["'”]?\s{0,40}[:：]/uy;
const WORDY_KEY = /[\p{L}\p{N}_$][\p{L}\p{N}_$ -]{0,60}\s{0,40}[:：]/uy;
const HALF_KEY = /[\p{L}_$][\p{L}\p{N}_$ -]{0,60}["”]\s{0,40}[:：]/uy;
const SIMPLE_NAME = /[A-Za-z_$][\w$]*/y;
const UNQUOTED_KEY = /[\p{L}\p{N}_$@.*/-][\p{L}\p{N}_$@.*/ -]{0,100}/uy;
/** A few words that stand between a value and the brackets that close it. */
const STRAY_WORDS = /[\p{L}_]{1,30}(?: [\p{L}_]{1,30}){0,2}\s{0,40}[}\]]\s{0,40}(?:[,}\]]|$)/uy;
const LITERALS: Readonly<Record<string, string>> = {
  True: "true",
  TRUE: "true",
  False: "false",
  FALSE: "false",
  None: "null",
  NONE: "null",
  Null: "null",
  NULL: "null",
  nil: "null",
  undefined: "null",
  NaN: "null",
  nan: "null",
  Infinity: "null",
  tru: "true",
  Tru: "true",
  fals: "false",
  Fals: "false",
  nul: "null",
};
const LATEX =
  /(?:n(?:u|e|eq|abla|ot|otin|i|leq|geq|mid|eg|ewline|exists)|t(?:heta|au|imes|o|ext[a-z]*|an|anh|ilde|op|riangle|frac|binom|ag)|r(?:ho|ight[a-z]*|angle|floor|ceil|m|e)|R(?:ightarrow)|f(?:rac|orall|lat|box)|b(?:eta|ar|egin|inom|oldsymbol|ullet|ig[a-z]*|ot|reve|oxed|mod|f|ecause))(?![a-zA-Z])/y;

function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function rewrite(text: string, start: number, options: RewriteOptions): Rewritten | Unreadable {
  const { maxDepth, implied = false, fenced = false } = options;
  const limit = options.limit ?? text.length;
  const edits: Edit[] = [];
  const stack: Frame[] = [];
  /** Members read so far, for each level. */
  const members: number[] = [];
  /** Short escapes before a letter: where another one shows that backslashes are content, these are content too. */
  const suspects: { at: number; path: boolean; string: number }[] = [];
  const stringsWithForeignEscapes = new Set<number>();
  let i = start;
  let complete = true;
  /** The comma that awaits its next member. */
  let comma = -1;
  /** End of the last token. */
  let last = start;
  let keyAt = -1;
  let bareKeys = false;
  /** Unquoted keys have blanks or start with digits here. */
  let wordyKeys = false;

  const edit = (at: number, end: number, by: string, kind?: RepairKind, sure = true) => {
    const before = edits[edits.length - 1];
    // A run of the same is one repair.
    if (by === "" && before?.by === "" && before.kind === kind && before.end === at) before.end = end;
    else edits.push({ at, end, by, around: false, kind, sure });
  };
  const bareKeyAt = (at: number) => sticky(wordyKeys ? WORDY_KEY : BARE_KEY, text, at) >= 0;
  const top = () => stack[stack.length - 1];
  const fail = (failed: Unreadable["failed"], at = i): Unreadable => ({
    failed,
    at,
    work: i - start + 12 * edits.length,
  });

  /** Blanks and comments; true when something was there. */
  function space(): boolean {
    const from = i;
    while (i < limit) {
      const c = text.charCodeAt(i);
      if (c === 32 || c === 10 || c === 13 || c === 9) i++;
      else if (c === 47 && (text.charCodeAt(i + 1) === 47 || text.charCodeAt(i + 1) === 42)) {
        const at = i;
        const block = text.charCodeAt(i + 1) === 42;
        const close = block ? text.indexOf("*/", i + 2) : text.indexOf("\n", i + 2);
        if (close >= 0 && close <= limit) i = block ? close + 2 : close;
        else i = block || stack.length === 0 ? limit : endOfRemark(i);
        edit(at, i, "", "comment");
      } else if (c === 35 && (blank(text.charCodeAt(i + 1)) || text.charCodeAt(i + 1) === 35)) {
        const close = text.indexOf("\n", i);
        const at = i;
        i = close < 0 || close > limit ? limit : close;
        edit(at, i, "", "comment");
      } else if (c > 126 && isOddBlank(c)) {
        edit(i, i + 1, " ", "whitespace");
        i++;
      } else break;
    }
    return i > from;
  }

  /** On the last line, a remark ends where the brackets go on, since else they would never close. */
  function endOfRemark(at: number): number {
    const sign = /[}\]]|,\s*"/g;
    sign.lastIndex = at;
    const found = sign.exec(text);
    return found && found.index < limit ? found.index : limit;
  }

  /** The next index that is not blank. */
  function after(at: number): number {
    while (at < limit) {
      const c = text.charCodeAt(at);
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9 && !(c > 126 && isOddBlank(c))) break;
      at++;
    }
    return at;
  }

  /** `...` in place of members, and the comma behind it. */
  function skipEllipsis(by: string) {
    edit(i, i + 3, by, "ellipsis", false);
    i += 3;
    const k = after(i);
    if (by !== "" || text[k] !== ",") return;
    edit(k, k + 1, "", undefined);
    i = k + 1;
  }

  /** How many more brackets close than open in the rest, as far as quotes can be trusted. */
  function closersLeft(at: number): number {
    return options.brackets().net(start, at, limit);
  }

  /** Whether the quote at `q` ends its string, judged by what follows. */
  function endsHere(q: number, role: "key" | "value", content: number, inner = 0): boolean {
    const j = after(q + 1);
    if (j >= limit) return true;
    const c = text[j] as string;
    const gap = j > q + 1;
    if (role === "key") {
      if (c === ":" || c === "：" || c === "=") return true;
      if (QUOTES.includes(c) && /^.\s{0,20}[:：]/.test(text.slice(j, j + 24))) return true;
      if (c === "," || c === "}") return !gap || c === "}" || sticky(KEY_AHEAD, text, after(j + 1)) >= 0;
      if (c === "`" && text.startsWith("```", j)) return true;
      return gap && (QUOTES.includes(c) || c === "{" || c === "[" || /[\d-]/.test(c));
    }
    const frame = top();
    if (frame === undefined) return true;
    // The last quote of the text before a line end: what follows is no string any more.
    if (gap && q >= options.lastQuote && /^[ \t]*\r?\n/.test(text.slice(q + 1, q + 80))) return true;
    if (gap && sticky(STRAY_WORDS, text, j) >= 0) return true;
    switch (c) {
      case ",":
      case "，":
      case ";":
        return commaEnds(j, frame, inner);
      case "}":
      case "]":
      case ")":
        return closerEnds(j, c, content, q);
      case "+":
        return QUOTES.includes(text[after(j + 1)] ?? " ");
      case "/":
        return gap && (text[j + 1] === "/" || text[j + 1] === "*");
      case "#":
        return gap && text[j + 1] === " ";
      case "`":
        if (text.startsWith("```", j)) return gap;
        break;
      case ".":
        return text.startsWith("...", j) && /^\.\.\.\s*[,}\]]/.test(text.slice(j, j + 40));
    }
    if (QUOTES.includes(c)) {
      if (frame === OBJECT) return sticky(KEY_AND_COLON, text, j) >= 0;
      if (gap) return true;
      // `"a""b"` is two strings, `"12""` ends in a quote.
      const next = text[after(j + 1)] ?? "";
      return !(next === "" || ",]}".includes(next)) && sticky(/["'][^"'\n]{0,120}["']\s*[,\]]/y, text, j) >= 0;
    }
    if (frame === OBJECT) {
      const newline = gap && text.slice(q + 1, Math.min(j, q + 200)).includes("\n");
      if (gap && sticky(HALF_KEY, text, j) >= 0) return true;
      return (
        gap &&
        (bareKeys || newline) &&
        bareKeyAt(j) &&
        (bareKeys || sticky(/\S{1,60}\s{0,4}:\s{0,40}["'{[\d]/y, text, j) >= 0)
      );
    }
    if (gap && (c === "{" || c === "[")) return true;
    return gap && /[\d-]/.test(c) && sticky(/-?\d[\d.]*\s*[,\]]/y, text, j) >= 0;
  }

  function commaEnds(j: number, frame: Frame, inner: number): boolean {
    const k = after(j + 1);
    if (k >= limit) return true;
    const d = text[k] as string;
    if (d === "}" || d === "]" || d === ")") return closesWell(k);
    if (d === "," || (d === "/" && (text[k + 1] === "/" || text[k + 1] === "*"))) return true;
    if (d === "#") return text[k + 1] === " ";
    if (d === ".") return text.startsWith("...", k);
    if (d === "\\") return false;
    if (d === "`" && text.startsWith("```", k)) return true;
    if (frame === OBJECT) {
      if (QUOTES.includes(d)) {
        if (sticky(KEY_AHEAD, text, k) >= 0 || sticky(KEY_AND_COLON, text, k) >= 0) return true;
        return k === j + 1 && sticky(/"[\w-]{1,60}"\s{0,40}\}/y, text, k) >= 0;
      }
      if (d === "{") return stack.length > 1 && stack[stack.length - 2] !== OBJECT;
      if (sticky(HALF_KEY, text, k) >= 0) return true;
      if (!bareKeyAt(k)) return false;
      // With an inner quote still open, a word and a colon are more likely content.
      return bareKeys || (inner % 2 === 0 && sticky(/[^:：]{1,80}[:：]\s{0,20}["'`{[\d]/y, text, k) >= 0);
    }
    if (QUOTES.includes(d)) return quoteStartsElement(k);
    if (d === "{" || d === "[" || d === "(") return true;
    if (/[\d+-]/.test(d)) return sticky(/[+-]?[\d.][\w.+-]*\s{0,40}(?:[,\])}]|$)/y, text, k) >= 0;
    if (inner % 2 === 0 && sticky(/[\p{L}\p{N}_][^"\n,]{0,60}"\s{0,40}[,\]]/uy, text, k) >= 0) return true;
    return sticky(/(?:true|false|null|None|True|False|NaN|undefined)\s{0,40}(?:[,\])}]|$)/y, text, k) >= 0;
  }

  /** In a list after a comma: the quote opens an element if it is not followed by a blank or the like. */
  function quoteStartsElement(k: number): boolean {
    const next = text[k + 1] ?? "";
    return next === "" || !/[\s]/.test(next) || sticky(/.\s{0,40}[^"\n]{0,120}"\s{0,40}[,\]]/y, text, k) >= 0;
  }

  /** A bracket after a quote: does the text go on as if it closed something? */
  function closerEnds(j: number, c: string, content: number, q: number): boolean {
    const open = c === "}" ? "{" : c === "]" ? "[" : "(";
    const wanted: Frame = c === "}" ? OBJECT : c === "]" ? LIST : TUPLE;
    if (c === ")" && !stack.includes(TUPLE)) return false;
    if (unclosedIn(content, q, open, c) && !(stack.includes(wanted) && closesWell(j, true))) return false;
    if (stack.includes(wanted)) return closesWell(j);
    return closesWell(j);
  }

  function unclosedIn(from: number, to: number, open: string, close: string): boolean {
    const begin = Math.max(from, to - 400);
    let depth = 0;
    for (let k = begin; k < to; k++) {
      if (text[k] === open) depth++;
      else if (text[k] === close && depth > 0) depth--;
    }
    return depth > 0;
  }

  /** Whether the closers from `j` on are followed by what may follow them. */
  function closesWell(j: number, strict = false): boolean {
    let depth = stack.length;
    let k = j;
    for (let seen = 0; k < limit && seen < 64; seen++) {
      const c = text[k] as string;
      if (c !== "}" && c !== "]" && c !== ")") break;
      depth--;
      k = after(k + 1);
    }
    if (k >= limit) return true;
    const c = text[k] as string;
    if (depth <= 0) {
      if (strict) return c === "`" || c === "<";
      // What follows the whole value is prose, unless quotes in it show that we are still inside a string.
      return c !== '"' || depth < 0 || sticky(KEY_AND_COLON, text, k) >= 0;
    }
    if (c === ",") {
      const d = after(k + 1);
      const e = text[d] ?? "";
      return (
        d >= limit || QUOTES.includes(e) || "{[]}/,.-`".includes(e) || /\d/.test(e) || bareKeys || /^[tfnTFN]/.test(e)
      );
    }
    if (QUOTES.includes(c)) return sticky(KEY_AHEAD, text, k) >= 0;
    if (c === "{" || c === "[" || c === "`" || c === "<" || c === "/" || c === "#") return true;
    if (c === ";") return true;
    return k > j + 1 && text.slice(j + 1, Math.min(k, j + 200)).includes("\n") && sticky(HALF_KEY, text, k) >= 0;
  }

  /** From a quote on; `i` is behind the string then. False at the end of the text. */
  function string(role: "key" | "value"): boolean {
    const opener = text[i] as string;
    const closers = CLOSERS[opener] ?? opener;
    const begin = i;
    const foreign = opener !== '"';
    const firstEdit = edits.length;
    if (foreign) edit(i, i + 1, '"', "quotes");
    i++;
    if (
      role === "value" &&
      opener === '"' &&
      text.startsWith('""', i) &&
      !/^""\s*[,}\]:]/.test(text.slice(i, i + 24))
    ) {
      return tripled(begin);
    }
    // `""x"`: the opening quote was doubled, unless the inner one has a partner before the end.
    if (opener === '"' && text[i] === '"' && i + 1 < limit && !endsHere(i, role, i)) {
      const next = text.indexOf('"', i + 1);
      if (next > 0 && next < limit && next - i < 2_000 && endsHere(next, role, i + 1)) {
        edit(i, i + 1, "", "extra-quote", false);
        i++;
      }
    }
    const content = i;
    /** Quotes so far that were content. */
    let inner = 0;
    const plain = PLAIN[opener as '"'] ?? PLAIN.other;
    const path = /^[A-Za-z]:\\|^\\\\/.test(text.slice(i, i + 3));
    /** Where a Markdown code block ends that began on a raw line of this string: what stands in it is content. */
    let codeEnd = -1;
    for (;;) {
      plain.lastIndex = i;
      plain.test(text);
      i = plain.lastIndex;
      if (i >= limit) return openString(role, begin, content, firstEdit);
      const c = text[i] as string;
      const code = text.charCodeAt(i);
      if (code < 32) {
        // Raw line ends are content, unless the key before them has lost its closing quote.
        if (role === "key" && (code === 10 || code === 13)) return lostKeyQuote(begin, content, i);
        if (role === "value" && code === 10 && i > codeEnd) {
          if (lostBefore(i + 1)) return endBefore(i, firstEdit, begin);
          codeEnd = endOfCode(i);
        }
        edit(i, i + 1, controlEscape(code), "control-character");
        i++;
        continue;
      }
      if (c === "\\") {
        const next = text[i + 1];
        if (next === '"' && path && closers.includes('"') && endsHere(i + 1, role, content)) {
          edit(i, i, "\\", "escape", false);
          stringsWithForeignEscapes.add(begin);
          i++;
          continue;
        }
        if (!escaped(role, begin, path, opener)) return openString(role, begin, content, firstEdit);
        continue;
      }
      if (i < codeEnd && (c === '"' || closers.includes(c))) {
        if (c === '"') edit(i, i, "\\", "inner-quote", false);
        i++;
        continue;
      }
      if (closers.includes(c)) {
        if (role === "key") {
          const next = after(i + 1);
          if (text[i - 1] === ":" && i - 1 > content && next > i + 1 && QUOTES.includes(text[next] ?? " ")) {
            // `"key:" "value"`: the colon stands on the wrong side of the quote.
            edit(i - 1, i, "", "extra-colon", false);
            i++;
            return true;
          }
          if (c === opener || c === '"' || !foreign) {
            const lost = lostKeyColon(content, i);
            if (lost >= 0) return lostKeyQuote(begin, content, lost);
          }
        } else if (c === '"' || c === opener) {
          if (i > content && /[\s,]/.test(text[i - 1] as string) && lostBefore(i))
            return endBefore(i, firstEdit, begin);
        }
        if (c === opener || c === closers[0] || foreign || (c === "”" && endsFirmly(i, role))) {
          if (endsHere(i, role, content, inner)) {
            if (foreign && edits.length === firstEdit + 1 && suspects[suspects.length - 1]?.string !== begin) {
              // Nothing else was wrong with it: one edit for the whole string.
              const opening = edits[firstEdit] as Edit;
              opening.end = i + 1;
              opening.around = true;
            } else if (c !== '"') edit(i, i + 1, '"', foreign ? undefined : "quotes", false);
            i++;
            return true;
          }
        }
        if (c === '"') edit(i, i, "\\", "inner-quote", false);
        inner++;
        i++;
        continue;
      }
      if (c === '"') {
        if (opener === "'" && role === "value" && endsFirmly(i, role) && !text.slice(content, i).includes('"')) {
          i++;
          return true;
        }
        // Inside other quotes a double quote is content, and needs its backslash only in JSON.
        edit(i, i, "\\", undefined);
        i++;
        continue;
      }
      i++;
    }
  }

  /** The last line of the code block that begins behind the line end at `at`, if it ends before the string can. */
  function endOfCode(at: number): number {
    if (sticky(CODE_BLOCK, text, at) < 0) return -1;
    const close = text.indexOf("\n```", CODE_BLOCK.lastIndex - 1);
    return close < 0 || close > Math.min(limit, options.lastQuote) ? -1 : close;
  }

  function writeOut(one: Edit) {
    if (!one.around) return;
    one.by += text.slice(one.at + 1, one.end - 1) + one.by;
    one.around = false;
  }

  /** A closing curly quote in a string that a straight one opened counts only where nothing else can be meant. */
  function endsFirmly(q: number, role: "key" | "value"): boolean {
    const j = after(q + 1);
    const c = text[j];
    if (role === "key") return c === ":";
    if (c === ",") return sticky(KEY_AND_COLON, text, after(j + 1)) >= 0;
    if (c !== "}" && c !== "]") return false;
    const next = text[after(j + 1)];
    return next === undefined || next === "," || next === "}" || next === "]";
  }

  /** `"""…"""`, as Python writes long texts. */
  function tripled(begin: number): boolean {
    const close = text.indexOf('"""', begin + 3);
    const end = close < 0 || close > limit ? limit : close;
    const content = text.slice(begin + 3, end);
    i = close < 0 || close > limit ? limit : close + 3;
    edit(begin, i, JSON.stringify(content.replace(/\\(["\\])/g, "$1")), "quotes");
    return i < limit || close >= 0;
  }

  /** In a key: a colon before the quote at `q`, which does not end a key, shows where the key's own quote is missing. */
  function lostKeyColon(content: number, q: number): number {
    const j = after(q + 1);
    if (j < limit && (text[j] === ":" || text[j] === "：")) return -1;
    const first = text.slice(content, Math.min(content + 60, q)).indexOf(":");
    const last = text.slice(Math.max(content, q - 60), q).lastIndexOf(":");
    return first <= 0 || last < 0 ? -1 : content + first;
  }

  function lostKeyQuote(begin: number, content: number, until: number): boolean {
    const first = text.slice(content, Math.min(content + KEY_LENGTH, until)).indexOf(":");
    const colon = first < 0 ? until : content + first;
    while (edits.length > 0 && (edits[edits.length - 1] as Edit).at > begin) edits.pop();
    let end = colon;
    while (end > content && blank(text.charCodeAt(end - 1))) end--;
    edit(end, end, '"', "missing-quote");
    i = end;
    return true;
  }

  /** Whether a key and its value start at `at`, after a comma or a line end: then the string before lost its quote. */
  function lostBefore(at: number): boolean {
    let back = at - 1;
    while (back > start && blank(text.charCodeAt(back))) back--;
    const k = after(at);
    if (text[k] !== '"' && text[k] !== "'") return false;
    const separated = text[back] === "," || text.slice(Math.max(back, at - 80), k).includes("\n");
    if (!separated) return false;
    if (top() === OBJECT) return sticky(KEY_AND_VALUE, text, k) >= 0;
    if (text[back] !== "," || k !== at) return false;
    return sticky(/"[^"\n]{0,80}"\s{0,40}(?:,\s{0,40}["\d{[]|\]\s{0,40}(?:[,}\]]|$))/y, text, k) >= 0;
  }

  /** Ends the string before the comma or the blanks that precede `at`. */
  function endBefore(at: number, firstEdit: number, begin: number): boolean {
    let end = at;
    while (end > begin + 1 && blank(text.charCodeAt(end - 1))) end--;
    if (text[end - 1] === ",") end--;
    while (edits.length > firstEdit && (edits[edits.length - 1] as Edit).at >= end) edits.pop();
    edit(end, end, '"', "missing-quote", false);
    i = end;
    return true;
  }

  /** A string that the text breaks off in, or whose quote is missing before the last brackets. */
  function openString(role: "key" | "value", begin: number, content: number, firstEdit: number): boolean {
    let end = limit;
    if (fenced) {
      const close = lastFence(text, content, limit);
      if (close >= 0) end = close;
    }
    if (role === "value") {
      const tail = /[\s\]})]*$/.exec(text.slice(Math.max(content, end - 400), end))?.[0] ?? "";
      const closers = tail.replace(/\s/g, "");
      if (closers.length > 0 && closers.length >= stack.length && matchesStack(closers)) {
        const body = text.slice(content, end - tail.length);
        const square = closers.includes("]") && count(body, "[") > count(body, "]");
        const curly = closers.includes("}") && count(body, "{") > count(body, "}");
        if (!square && !curly) end -= tail.length + (body.endsWith(",") ? 1 : 0);
        else end = limit;
      }
    }
    const whole = end;
    if (end === limit && !fenced) end = limit;
    while (edits.length > firstEdit && (edits[edits.length - 1] as Edit).at >= whole) edits.pop();
    if (role === "key" && !text.slice(content, Math.min(content + KEY_LENGTH, end)).includes(":")) {
      i = limit;
      keyAt = begin;
      return false;
    }
    if (role === "key") return lostKeyQuote(begin, content, end);
    i = whole;
    // A surrogate or an escape that was cut in the middle has been dropped by `escape`.
    edit(whole, whole, '"', whole < limit ? "missing-quote" : "unclosed", false);
    if (whole >= limit) {
      complete = false;
      return false;
    }
    return true;
  }

  function matchesStack(closers: string): boolean {
    for (let k = 0; k < stack.length; k++) {
      const frame = stack[stack.length - 1 - k];
      const c = closers[k];
      if (c !== (frame === OBJECT ? "}" : frame === LIST ? "]" : ")")) return false;
    }
    return true;
  }

  /** At a backslash in a string; false when the text ends in the escape. */
  function escaped(role: "key" | "value", begin: number, path: boolean, opener: string): boolean {
    const at = i;
    const next = text[at + 1];
    if (next === undefined || at + 1 >= limit) {
      edit(at, limit, "", undefined);
      i = limit;
      return false;
    }
    i += 2;
    switch (next) {
      case '"':
      case "\\":
      case "/":
        return true;
      case "b":
      case "f":
      case "n":
      case "r":
      case "t":
        if (
          /[A-Za-z]/.test(text[at + 2] ?? "") ||
          ((next === "b" || next === "f") && /[\\^$\d[(]/.test(text[at + 2] ?? ""))
        ) {
          suspects.push({ at, path, string: begin });
        } else if (next === "b") suspects.push({ at, path, string: begin });
        return true;
      case "u": {
        const hex = /^[\da-fA-F]{0,4}/.exec(text.slice(at + 2, Math.min(at + 6, limit)))?.[0] ?? "";
        if (hex.length === 4) {
          i = at + 6;
          return true;
        }
        if (at + 2 + hex.length >= limit) {
          edit(at, limit, "", undefined);
          i = limit;
          return false;
        }
        const braced = /^\{([\da-fA-F]{1,6})\}/.exec(text.slice(at + 2, at + 10));
        if (braced && Number.parseInt(braced[1] as string, 16) <= 0x10ffff) {
          i = at + 2 + braced[0].length;
          edit(at, i, String.fromCodePoint(Number.parseInt(braced[1] as string, 16)), "escape");
          return true;
        }
        break;
      }
      case "x": {
        const hex = /^[\da-fA-F]{2}/.exec(text.slice(at + 2, at + 4))?.[0];
        if (hex && !path) {
          i = at + 4;
          edit(at, i, `\\u00${hex}`, "escape", false);
          return true;
        }
        break;
      }
      case "U": {
        const hex = /^000[\da-fA-F]{5}/.exec(text.slice(at + 2, at + 10))?.[0];
        if (hex) {
          i = at + 10;
          edit(at, i, String.fromCodePoint(Number.parseInt(hex, 16)), "escape", false);
          return true;
        }
        break;
      }
      case "'":
      case "`":
      case "’":
        edit(at, at + 1, "", "escape");
        return true;
      case "\n":
        edit(at, at + 2, "\\n", "escape", false);
        return true;
      case "\r":
        i = text[at + 2] === "\n" ? at + 3 : at + 2;
        edit(at, i, "\\n", "escape", false);
        return true;
      case "$":
        if (text[at + 2] === "{") {
          edit(at, at + 1, "", "escape", false);
          return true;
        }
        break;
    }
    if (next === opener) {
      edit(at, at + 1, "", "escape");
      return true;
    }
    if (role === "key") {
      edit(at, at + 1, "", "escape");
      return true;
    }
    edit(at, at, "\\", "escape");
    if (/[A-Za-z.()[\]{}|*+?^$0-9]/.test(next)) stringsWithForeignEscapes.add(begin);
    i = next.charCodeAt(0) < 32 ? at + 1 : at + 2;
    if (next.charCodeAt(0) >= 0xd800 && next.charCodeAt(0) < 0xdc00) i = at + 1;
    return true;
  }

  /** Once it is known that backslashes are content here: `\beta`, `C:\new` and `\bword` are not control characters. */
  function settleEscapes() {
    if (stringsWithForeignEscapes.size === 0) return;
    for (const { at, path, string } of suspects) {
      const letter = text[at + 1];
      const same = stringsWithForeignEscapes.has(string);
      const literal =
        letter === "b" || letter === "f" || (same && (path || inPath(at, string))) || sticky(LATEX, text, at + 1) >= 0;
      if (literal) edit(at, at, "\\", "escape", false);
    }
  }

  function inPath(at: number, begin: number): boolean {
    const before = text.slice(Math.max(begin, at - 200), at);
    return /(?:^|[^A-Za-z])[A-Za-z]:(?:\\[^\s\\"]+)*$/.test(before);
  }

  /** A value that is not quoted: a number, a literal, or a text up to its separator. False at the end of the text. */
  function bare(): boolean | Unreadable {
    const begin = i;
    const frame = top();
    if (/[-+.\d]/.test(text[begin] as string)) {
      if (frame === OBJECT) {
        const grouped = sticky(GROUPED, text, begin);
        if (grouped >= 0 && grouped <= limit) {
          edit(begin, grouped, text.slice(begin, grouped).replaceAll(",", ""), "number", false);
          i = grouped;
          return true;
        }
      }
      const number = sticky(NUMBER, text, begin);
      if (number > begin && number <= limit && delimits(number)) {
        i = number;
        return i < limit;
      }
      const like = sticky(NUMBER_LIKE, text, begin);
      if (like > begin && like <= limit && delimits(like)) {
        const raw = text.slice(begin, like);
        i = like;
        const value = toNumber(raw);
        edit(
          begin,
          like,
          value ?? JSON.stringify(raw),
          value === undefined ? "unquoted" : "number",
          value !== undefined,
        );
        return i < limit;
      }
      const cut = /^-?(?:\d[\d.]*)?[eE]?[+-]?$/.exec(text.slice(begin, Math.min(limit, begin + 40)));
      if (cut && limit - begin <= 40) {
        const digits = /^-?(?:0|[1-9]\d*)(?:\.\d+)?/.exec(cut[0])?.[0];
        edit(begin, limit, digits ?? "null", undefined);
        i = limit;
        return false;
      }
    }
    WORD.lastIndex = begin;
    const word = WORD.exec(text)?.[0];
    if (word !== undefined) {
      const end = begin + word.length;
      if (word === "true" || word === "false" || word === "null") {
        if (end >= limit || delimits(end)) {
          i = end;
          return i < limit;
        }
      }
      if (Object.hasOwn(LITERALS, word) && (end >= limit || delimits(end))) {
        const odd = word === "NaN" || word === "nan" || word === "Infinity";
        edit(begin, end, LITERALS[word] as string, "literal", !odd);
        i = end;
        return i < limit;
      }
      if (end >= limit) {
        const whole = ["true", "false", "null", "True", "False", "None"].find((literal) => literal.startsWith(word));
        if (whole) {
          edit(begin, limit, LITERALS[whole] ?? whole, "literal", word.length > 1);
          i = limit;
          return false;
        }
      }
      if (/^[urbfURBF]{1,2}$/.test(word) && QUOTES.includes(text[end] ?? " ") && !/[,\]}]/.test(text[end + 1] ?? ",")) {
        edit(begin, end, "", "quotes");
        i = end;
        return string("value");
      }
      const next = text.slice(end, end + 12).trimStart()[0];
      if (next === "(") return fail("foreign", begin);
    } else if (text.startsWith("-Infinity", begin) && delimits(begin + 9)) {
      edit(begin, begin + 9, "null", "literal", false);
      i = begin + 9;
      return true;
    }
    return unquoted();
  }

  function delimits(at: number): boolean {
    if (at >= limit) return true;
    const j = after(at);
    if (j >= limit) return true;
    const c = text[j] as string;
    if (",}]);，".includes(c)) return true;
    if (c === "/" && (text[j + 1] === "/" || text[j + 1] === "*")) return true;
    if (c === "#" || c === "`" || c === "<") return true;
    if (c === "." && text.startsWith("...", j)) return true;
    if (j === at) return QUOTES.includes(c) && sticky(KEY_AHEAD, text, j) >= 0;
    if (QUOTES.includes(c) || c === "{" || c === "[") return true;
    if (top() === OBJECT) {
      if (bareKeyAt(j)) return true;
      return text.slice(at, Math.min(j, at + 200)).includes("\n");
    }
    return /[-\d]/.test(c) || sticky(/(?:true|false|null|None|True|False)\b/y, text, j) >= 0;
  }

  /** A name without quotes; it has no sign that JSON would have to escape. */
  function bareName(at: number): string | undefined {
    const plain = sticky(SIMPLE_NAME, text, at);
    if (plain > 0 && text[plain] === ":") return text.slice(at, plain);
    UNQUOTED_KEY.lastIndex = at;
    return UNQUOTED_KEY.exec(text)?.[0]?.trimEnd();
  }

  function unquoted(): boolean | Unreadable {
    const begin = i;
    const list = top() !== OBJECT;
    let open = 0;
    let quoted = false;
    let j = begin;
    loop: for (; j < limit; j++) {
      const c = text[j] as string;
      switch (c) {
        case "\n":
        case "\r":
          break loop;
        case "{":
        case "[":
        case "(":
          open++;
          break;
        case "}":
        case "]":
        case ")":
          if (open === 0) {
            if (c === ")" && !stack.includes(TUPLE)) break;
            break loop;
          }
          open--;
          break;
        case ",":
        case ";": {
          if (open > 0) break;
          if (list && c === ",") break loop;
          const k = after(j + 1);
          const d = text[k] ?? "";
          if (k >= limit || d === "}" || d === "]" || QUOTES.includes(d)) break loop;
          if (bareKeyAt(k) || text.slice(j + 1, k).includes("\n")) break loop;
          if (d === "/" && (text[k + 1] === "/" || text[k + 1] === "*")) break loop;
          break;
        }
        case '"':
        case "”":
          if (endsHere(j, "value", begin) || /^.\s*(?:[,}\]]|$)/.test(text.slice(j, j + 20))) {
            quoted = true;
            break loop;
          }
          break;
        case "/":
          if ((text[j + 1] === "/" || text[j + 1] === "*") && blank(text.charCodeAt(j - 1))) break loop;
          break;
        case "`":
          if (text.startsWith("```", j)) break loop;
          break;
      }
    }
    let end = j;
    while (end > begin && blank(text.charCodeAt(end - 1))) end--;
    if (end === begin) return fail("not-json");
    const value = text.slice(begin, end);
    i = quoted ? j + 1 : end;
    edit(begin, i, JSON.stringify(unescapeLoosely(value)), quoted ? "missing-quote" : "unquoted", false);
    return i < limit;
  }

  function push(frame: Frame): boolean {
    if (stack.length >= maxDepth) return false;
    stack.push(frame);
    members.push(0);
    comma = -1;
    return true;
  }

  function leave() {
    stack.pop();
    members.pop();
    if (members.length > 0) members[members.length - 1] = (members[members.length - 1] ?? 0) + 1;
  }

  function pop() {
    leave();
    comma = -1;
    last = i;
  }

  function dropComma(kind: RepairKind, sure: boolean) {
    if (comma < 0) return;
    edit(comma, comma + 1, "", kind, sure);
    comma = -1;
  }

  /** At a closing bracket; false when it belongs to nothing here. */
  function close(c: string): void {
    const at = i;
    const wanted: Frame = c === "}" ? OBJECT : c === "]" ? LIST : TUPLE;
    dropComma("trailing-comma", true);
    if (top() === wanted) {
      if (wanted === TUPLE) edit(at, at + 1, "]", undefined);
      i++;
      pop();
      if (stack.length === 0) reopen(at, wanted);
      return;
    }
    const level = stack.lastIndexOf(wanted);
    if (level < 0) {
      // Nothing of this kind is open: another bracket was meant, if one is needed here at all.
      if (closersLeft(at + 1) < stack.length && !continuesAfter(at, top() as Frame)) {
        edit(at, at + 1, closerOf(top() as Frame), "wrong-closer", false);
        i++;
        pop();
        return;
      }
      edit(at, at + 1, "", "extra-closer", false);
      i++;
      return;
    }
    const depth = stack.length;
    const left = closersLeft(at + 1);
    let wrong: boolean;
    if (left === depth - 1) wrong = true;
    else if (left === level) wrong = false;
    else {
      const k = after(at + 1);
      if (k < limit && text[k] === ",") {
        const key = sticky(KEY_AND_COLON, text, after(k + 1)) >= 0;
        const fits = (frame: Frame | undefined) => frame !== undefined && (frame === OBJECT) === key;
        wrong = fits(stack[depth - 2]) || !fits(stack[level - 1]);
      } else wrong = false;
    }
    if (wrong) {
      edit(at, at + 1, closerOf(top() as Frame), "wrong-closer", false);
      i++;
      pop();
      return;
    }
    let by = "";
    while (stack.length > level + 1) {
      by += closerOf(top() as Frame);
      leave();
    }
    edit(at, at, by, "missing-closer", false);
    if (wanted === TUPLE) edit(at, at + 1, "]", undefined);
    i++;
    pop();
    if (stack.length === 0) reopen(at, wanted);
  }

  function continuesAfter(at: number, frame: Frame): boolean {
    const k = after(at + 1);
    if (k >= limit) return false;
    if (text[k] !== ",") return false;
    const key = sticky(KEY_AND_COLON, text, after(k + 1)) >= 0;
    return (frame === OBJECT) === key;
  }

  /** The outermost value has closed; when it plainly goes on, the bracket was one too many. */
  function reopen(at: number, frame: Frame) {
    let k = after(at + 1);
    let extra = 0;
    while (k < limit && (text[k] === "}" || text[k] === "]") && extra < 8) {
      extra++;
      k = after(k + 1);
    }
    if (text[k] !== ",") return;
    const next = after(k + 1);
    const goesOn =
      frame === OBJECT
        ? sticky(KEY_AND_COLON, text, next) >= 0
        : /["'{[\d\-tfn]/.test(text[next] ?? "") && closersLeft(k) > 0;
    if (!goesOn) return;
    edit(at, k, "", "extra-closer", false);
    stack.push(frame);
    members.push(1);
    i = k;
    last = at;
  }

  function finish(): Rewritten {
    if (stack.length > 0) {
      complete = false;
      if (comma >= 0) dropComma("trailing-comma", true);
      let by = "";
      for (let k = stack.length - 1; k >= 0; k--) by += closerOf(stack[k] as Frame);
      i = Math.max(i, last);
      edit(i, i, by, "unclosed", false);
    }
    settleEscapes();
    return { json: apply(text, start, i, edits), end: i, edits, complete, work: i - start + 12 * edits.length };
  }

  let state: "value" | "key" | "colon" | "after" = "value";
  if (implied) {
    edit(start, start, "{", "missing-opener", false);
    push(OBJECT);
    state = "key";
  }

  for (;;) {
    if (state === "after" && stack.length === 0) return finish();
    space();
    if (i >= limit) break;
    const c = text[i] as string;
    if (c === "`" && text.startsWith("```", i)) break;
    if (c === "~" && text.startsWith("~~~", i)) break;

    if (state === "value") {
      const frame = top();
      if (c === "{" || c === "[" || (c === "(" && frame !== undefined && /[\d"'([{\s)]/.test(text[i + 1] ?? ""))) {
        if (c === "{" && frame === OBJECT && text[after(i + 1)] === "{") {
          edit(i, i + 1, "", "extra-opener", false);
          i++;
          continue;
        }
        if (!push(c === "{" ? OBJECT : c === "[" ? LIST : TUPLE)) return fail("too-deep");
        if (c === "(") edit(i, i + 1, "[", "quotes");
        i++;
        last = i;
        keyAt = -1;
        state = c === "{" ? "key" : "value";
        continue;
      }
      if (c === "}" || c === "]" || c === ")") {
        if (frame === OBJECT) {
          edit(i, i, "null", "missing-value", false);
          last = i;
          keyAt = -1;
          comma = -1;
        }
        close(c);
        state = "after";
        continue;
      }
      if (c === "," || c === "，") {
        if (frame === OBJECT) {
          edit(i, i, "null", "missing-value", false);
          keyAt = -1;
          comma = -1;
          last = i;
          members[members.length - 1] = (members[members.length - 1] ?? 0) + 1;
          state = "after";
          continue;
        }
        edit(i, i + 1, "", "extra-comma", false);
        i++;
        continue;
      }
      if ((c === ":" || c === "：") && frame === OBJECT) {
        edit(i, i + 1, "", "extra-colon", false);
        i++;
        continue;
      }
      if (c === "." && text.startsWith("...", i)) {
        skipEllipsis(frame === OBJECT ? "null" : "");
        if (frame === OBJECT) {
          keyAt = -1;
          comma = -1;
          last = i;
          state = "after";
        }
        continue;
      }
      if (frame === LIST && members[members.length - 1] === 0 && QUOTES.includes(c) && text[last - 1] === "[") {
        if (sticky(KEY_AND_VALUE, text, i) >= 0) {
          // A key right after the bracket: the other one was meant.
          edit(last - 1, last, "{", "wrong-opener", false);
          stack[stack.length - 1] = OBJECT;
          state = "key";
          continue;
        }
      }
      if (
        frame === LIST &&
        members[members.length - 1] !== 0 &&
        stack[stack.length - 2] === OBJECT &&
        QUOTES.includes(c)
      ) {
        // A key in a list: the list was not closed.
        if (sticky(KEY_AND_COLON, text, i) >= 0) {
          const at = comma >= 0 ? comma : i;
          edit(at, at, comma >= 0 ? "]" : "],", "missing-closer", false);
          leave();
          state = "key";
          continue;
        }
      }
      if (c === "\\") return fail(/["nrt]/.test(text[i + 1] ?? "") ? "escaped" : "not-json");
      if (c === "/") return fail("foreign");
      let going: boolean | Unreadable;
      keyAt = -1;
      if (QUOTES.includes(c)) going = string("value");
      else going = bare();
      if (typeof going !== "boolean") return going;
      comma = -1;
      last = i;
      members[members.length - 1] = (members[members.length - 1] ?? 0) + 1;
      state = "after";
      if (!going && i >= limit) break;
      continue;
    }

    if (state === "key") {
      const first = members[members.length - 1] === 0;
      if (c === "}" || c === "]" || c === ")") {
        close(c);
        state = "after";
        continue;
      }
      if (c === "," || c === "，") {
        edit(i, i + 1, "", "extra-comma", first);
        i++;
        continue;
      }
      if (c === "." && text.startsWith("...", i)) {
        skipEllipsis("");
        continue;
      }
      if (c === "{") {
        if (first && stack.length > 0) {
          edit(i, i + 1, "", "extra-opener", false);
          i++;
          continue;
        }
        const parent = stack[stack.length - 2];
        if (parent === LIST || parent === TUPLE) {
          const at = comma >= 0 ? comma : i;
          edit(at, at, comma >= 0 ? "}" : "},", "missing-closer", false);
          leave();
          state = "value";
          continue;
        }
        return fail("not-json");
      }
      if (c === ":" && QUOTES.includes(text[after(i + 1)] ?? " ")) {
        edit(i, i + 1, "", "extra-colon", false);
        i++;
        continue;
      }
      if (c === "\\") return fail(/["nrt]/.test(text[i + 1] ?? "") ? "escaped" : "not-json");
      keyAt = i;
      if (QUOTES.includes(c)) {
        // `""key": …`: the quote was doubled.
        if (c === '"' && text[i + 1] === '"' && /^""[\p{L}_]/u.test(text.slice(i, i + 3))) {
          edit(i, i + 1, "", "extra-quote", false);
          i++;
        }
        if (!string("key")) break;
      } else {
        const name = bareName(i);
        if (name === undefined) {
          if (first) return fail("not-json");
          break;
        }
        const end = i + name.length;
        const quoted =
          text[end] === '"' || text[end] === "”" || (text[end] === "'" && /^'\s*:/.test(text.slice(end, end + 10)));
        const from = quoted ? end + 1 : end;
        const k = after(from);
        const sign = text[k] ?? "";
        if (!quoted && QUOTES.includes(sign) && k > from && sticky(KEY_AND_COLON, text, k) >= 0) {
          // Words before a quoted key: a remark that has lost its marks.
          edit(i, k, "", "comment", false);
          i = k;
          continue;
        }
        const assigned = sign === "=" || (sign === "-" && text[k + 1] === ">");
        if (k >= limit && end >= limit && !first) {
          i = limit;
          break;
        }
        if (!(sign === ":" || sign === "：" || (assigned && (!first || stack.length > 1 || text[k + 1] === ">")))) {
          if (first) return fail("not-json");
          if (end < limit) {
            // Not a member: what was read so far is all there is.
            break;
          }
        }
        edit(i, from, `"${name}"`, quoted ? "missing-quote" : "unquoted", true);
        if (!quoted) {
          bareKeys = true;
          if (/^\d| /.test(name)) wordyKeys = true;
        }
        i = from;
      }
      state = "colon";
      continue;
    }

    if (state === "colon") {
      if (c === ":") {
        i++;
        state = "value";
      } else if (c === "：") {
        edit(i, i + 1, ":", "separator");
        i++;
        state = "value";
      } else if (c === "=" || (c === "-" && text[i + 1] === ">")) {
        const end = text[i + 1] === ">" ? i + 2 : i + 1;
        edit(i, end, ":", "separator");
        i = end;
        state = "value";
      } else if (QUOTES.includes(c) && /^.\s{0,20}[:：]/.test(text.slice(i, i + 24))) {
        edit(i, i + 1, "", "extra-quote", false);
        i++;
      } else if (c === "," || c === "}" || c === "]") {
        if (members[members.length - 1] === 0 && stack.length === 1) return fail("not-json");
        edit(i, i, ":null", "missing-value", false);
        keyAt = -1;
        members[members.length - 1] = (members[members.length - 1] ?? 0) + 1;
        comma = -1;
        last = i;
        state = "after";
        continue;
      } else if (
        QUOTES.includes(c) ||
        c === "{" ||
        c === "[" ||
        /[-\d]/.test(c) ||
        sticky(/(?:true|false|null|True|False|None)\b/y, text, i) >= 0
      ) {
        edit(i, i, ":", "missing-colon", false);
        state = "value";
      } else {
        if (members[members.length - 1] === 0 && stack.length === 1) return fail("not-json");
        break;
      }
      continue;
    }

    // After a value.
    const frame = top() as Frame;
    if (c === ",") {
      comma = i;
      i++;
      state = frame === OBJECT ? "key" : "value";
      continue;
    }
    // `{ color: red; }`, `{ name: string; age: number }`: code.
    if (c === ";" && bareKeys) return fail("not-json");
    if (c === ";" || c === "，" || c === "、") {
      edit(i, i + 1, ",", "separator", c !== ";");
      const k = after(i + 1);
      if (text[k] === "}" || text[k] === "]" || k >= limit)
        edits[edits.length - 1] = { at: i, end: i + 1, by: "", around: false, kind: "separator", sure: true };
      i++;
      state = frame === OBJECT ? "key" : "value";
      continue;
    }
    if (c === "}" || c === "]" || (c === ")" && stack.includes(TUPLE))) {
      close(c);
      continue;
    }
    if (
      c === "+" &&
      QUOTES.includes(text[after(i + 1)] ?? " ") &&
      text[last - 1] !== undefined &&
      QUOTES.includes(text[last - 1] as string)
    ) {
      const next = after(i + 1);
      // The quotes on both sides of the sign go, whether they are edited or as they stand.
      const before = edits.slice(-3).find((one) => one.end === last && one.by.endsWith('"'));
      if (before) {
        writeOut(before);
        before.by = before.by.slice(0, -1);
      }
      edit(before ? last : last - 1, next, "", "concatenation");
      i = next;
      const count = edits.length;
      const going = string("value");
      const opening = edits[count];
      if (opening?.at === next && opening.by.startsWith('"')) {
        writeOut(opening);
        opening.by = opening.by.slice(1);
      } else edit(next, next + 1, "", undefined);
      last = i;
      if (!going && i >= limit) break;
      continue;
    }
    if (c === "." && text.startsWith("...", i)) {
      edit(i, i + 3, "", "ellipsis", false);
      i += 3;
      continue;
    }
    if (c === "." || c === "\\") {
      // A stray sign between members.
      const k = after(i + 1);
      if (text[k] === "," || text[k] === "}" || text[k] === "]") {
        edit(i, k, "", "separator", false);
        i = k;
        continue;
      }
      break;
    }
    if (frame === OBJECT) {
      const quote = QUOTES.includes(c);
      if (quote && /^.\s*(?:[,}\]]|$)/.test(text.slice(i, i + 24))) {
        edit(i, i + 1, "", "extra-quote", false);
        i++;
        continue;
      }
      if ((quote && sticky(KEY_AHEAD, text, i) >= 0) || bareKeyAt(i)) {
        edit(i, i, ",", "missing-comma", quote);
        state = "key";
        continue;
      }
      if (sticky(STRAY_WORDS, text, i) >= 0) {
        const end = text.slice(i, i + 140).search(/[}\]]/) + i;
        edit(i, end, "", "comment", false);
        i = end;
        continue;
      }
      if (c === "{" && (stack[stack.length - 2] === LIST || stack[stack.length - 2] === TUPLE)) {
        edit(i, i, "},", "missing-closer", false);
        leave();
        state = "value";
        continue;
      }
      break;
    }
    if (c === ":") return fail("foreign");
    if (QUOTES.includes(c) && stack[stack.length - 2] === OBJECT && sticky(KEY_AND_COLON, text, i) >= 0) {
      edit(i, i, "],", "missing-closer", false);
      leave();
      state = "key";
      continue;
    }
    if (
      QUOTES.includes(c) ||
      c === "{" ||
      c === "[" ||
      /[-\d]/.test(c) ||
      sticky(/(?:true|false|null|True|False|None)\b/y, text, i) >= 0
    ) {
      edit(i, i, ",", "missing-comma");
      state = "value";
      continue;
    }
    break;
  }

  if (stack.length === 0) return fail("not-json");
  // Nothing was read, and the text goes on as something else: a value made of nothing.
  if (i < limit && stack.length === 1 && members[0] === 0 && text[i] !== "`" && text[i] !== "<")
    return fail("not-json");
  // The same, as a key that has swallowed quotes and brackets.
  if (
    keyAt >= 0 &&
    stack.length === 1 &&
    members[0] === 0 &&
    /["}\]]/.test(text.slice(keyAt + 1, keyAt + KEY_LENGTH))
  ) {
    return fail("not-json", keyAt);
  }
  // The text ended, or went on as something else, inside the value: a key without its value is left out.
  if (keyAt >= 0) {
    while (edits.length > 0 && (edits[edits.length - 1] as Edit).at >= keyAt) edits.pop();
    edit(keyAt, i, "", undefined);
  }
  return finish();
}

function closerOf(frame: Frame): string {
  return frame === OBJECT ? "}" : "]";
}

function blank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Blanks that JSON does not know: no-break and typographic spaces, zero-width signs, byte order mark. */
function isOddBlank(code: number): boolean {
  return (
    code === 0xa0 ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

function controlEscape(code: number): string {
  if (code === 10) return "\\n";
  if (code === 13) return "\\r";
  if (code === 9) return "\\t";
  if (code === 8) return "\\b";
  if (code === 12) return "\\f";
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

function toNumber(raw: string): string | undefined {
  if (/^[+-]?0\d/.test(raw)) return undefined;
  const value = Number(raw.replaceAll("_", ""));
  return Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

function unescapeLoosely(value: string): string {
  return value.replace(/\\(["\\/])/g, "$1");
}

function count(text: string, c: string): number {
  let n = 0;
  for (let at = text.indexOf(c); at >= 0; at = text.indexOf(c, at + 1)) n++;
  return n;
}

/** The line that closes the fence around an unclosed string: the last one, if the others come in pairs. */
function lastFence(text: string, from: number, to: number): number {
  const fences = [...text.slice(from, to).matchAll(/\n[ \t]{0,8}(?:`{3,}|~{3,})/g)];
  return fences.length % 2 === 1 ? from + (fences.at(-1)?.index ?? 0) : -1;
}

function apply(text: string, start: number, end: number, edits: Edit[]): string {
  if (edits.length === 0) return text.slice(start, end);
  for (let i = 1; i < edits.length; i++) {
    if ((edits[i] as Edit).at < (edits[i - 1] as Edit).at) {
      edits.sort((a, b) => a.at - b.at);
      break;
    }
  }
  const parts: string[] = [];
  let at = start;
  for (const edit of edits) {
    if (edit.at > at) parts.push(text.slice(at, edit.at));
    if (edit.by !== "") parts.push(edit.by);
    if (edit.around) parts.push(text.slice(edit.at + 1, edit.end - 1), edit.by);
    at = Math.max(at, edit.end);
  }
  if (at < end) parts.push(text.slice(at, end));
  return parts.join("");
}
