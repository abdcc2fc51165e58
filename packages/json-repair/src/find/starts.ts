import { skipBlanks } from "../decode/signs.js";
import { sticky } from "../repair/ahead.js";

/** Where a value may begin: what an object or a list begins with, and what looks like one and belongs to something else. */

/** Blanks of all kinds, and signs that are not seen. */
const BLANKS = "[\\s\\p{Cc}\\p{Cf}\\p{Variation_Selector}]*";
const LITERAL = "(?:true|false|null|None|True|False|NaN|undefined|-?Infinity)";
/** What the first member of an object or a list may start with, or stands in its place. */
const FIRST = [
  "[“„‘`«»‹‚「『〝″′´＂＇\\\\]|[urbfURBF]{1,2}[\"']",
  "\\/[/*+]|#[# \\t]|<!--|--[ \\t]|<br[ /]{0,2}>\\s{0,8}[&*\"']|\\*\\*[\"']",
  "(?:[-*•]|\\d{1,4}[.):])[ \\t][\"'{[]|$",
].join("|");
const FIRST_KEY = [
  "[}\"',]|”[^”\\n]{1,80}”\\s{0,40}:|#[^\\n]{0,80}\\n",
  "[\\p{L}\\p{N}_$][\\p{L}\\p{N}\\p{M}_$.+-]*[\"'”]?\\s{0,40}[:：](?!=\\s{0,4}[\\p{L}_][\\w.]{0,60}(?:[([{]|\\s{0,9}[}\\n;]))",
  // `{id = 17, name = "a"}`, `{["a"] = 1}`, of Lua or Java; with semicolons only at the start of the text, of PowerShell or Apple's
  '[\\p{L}_]\\w{0,40} {0,40}= {0,9}(?:[[{]\\s{0,40}["\\w{[]|(?:"[^"\\n]{0,80}"|[^\\s;,=<>{}()&|!+*/"][^;,=<>{}()&|!+*/"\\n]{0,80})\\s{0,40}(?:[,}]|;\\s{0,80}(?:(?:[\\p{L}_][\\w.-]{0,40}|"[^"\\n]{1,60}") {0,40}=|\\}|$)(?<=(?:(?:^\\s{0,80}|@)\\{|[:=\\]] \\{\\n)[^{}]{0,300})))',
  ":[\\p{L}_][\\p{L}\\p{N}_]{0,60}\\s{0,40}=>|\\[\\s?[\"'][^\"'\\n]{1,60}[\"']\\s?\\] ?= ?[^=]",
  // `#{id => 17}`, of Erlang; `$VAR1 = { id => 17 }`, of Perl
  `(?<=#\\{\\s{0,40})[\\p{L}_]\\w{0,60} ?=>|(?<=(?:^|\\$\\w{1,40} = |\\[|: )\\s{0,80}\\{\\s{0,80})[\\p{L}_]\\w{0,60}\\s{0,20}=>\\s{0,8}(?:["'[{]|-?\\d|undef\\b)`,
  // A sign that means nothing before the first key: `{."a": 1}`.
  '[^\\s\\p{L}\\p{N}"\'\\\\{}[\\]+-]{1,2}\\s{0,8}"[^"\\n]{1,60}"\\s{0,40}:',
].join("|");
/** Only of a list; `[[Page]]` is a link, and `["']` a pattern. */
const FIRST_ITEM = [
  '(?:\\.\\.\\.|…),|[%@]\\{[^{}\\n$]{1,60}[:=]|#\\{[^:{}\\n]{1,80}=>|[A-Z]\\w{0,60} ?\\{\\s{0,80}\\w{1,60}: |\\w{1,40}: ?(?:\'[^\'\\n]{0,80}\'|"[^"\\n]{0,80}"|-?\\d[\\d.]{0,20}|true|false|null), ?\\w{1,40}: ?[\'"\\w[-]|,[\\s,]{0,40}["{\\d]|\\(\\s*["\'\\d(]|[\\]{｛［]',
  "[\"'](?!(?<=\")'\\](?![^\"\\n]{0,80}\"\\s?[,\\]])|(?<=')\"\\](?![^'\\n]{0,80}'\\s?[,\\]]))",
  `\\[(?!\\s*(?!${LITERAL}\\b|[urbfURBF]{1,2}["'])[\\p{L}_#!$])`,
  '[+-]?(?:\\d[\\d_]*(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?\\s*(?:[,，、،\\]\\n]|\\/[/*]|\\s[-\\d]|\\s?[[{]["{]|\\s\\[\\d|\\.?(?<=^\\[\\d[\\d.]{0,20})$)',
  "0[xob][\\da-fA-F]{1,16}\\s*[,\\]\\n]",
  `${LITERAL}(?:\\s*[,，、،\\]\\n"{[]|\\s+[\\d-]|(?<=^\\s{0,9}\\[\\s{0,9}\\w{4,5})\\s+(?:true|false|null)\\b)`,
].join("|");
const OBJECT_START = new RegExp(`[{｛]${BLANKS}(?:${FIRST}|${FIRST_KEY})`, "uy");
const LIST_START = new RegExp(`[[［]${BLANKS}(?:${FIRST}|${FIRST_ITEM})`, "uy");
/** A member whose key may have lost its first quote with the brace: a model goes on behind `{"`. */
const MEMBER_START =
  /(?:"[^"\n]{1,100}|[\p{L}_][\p{L}\p{N}_$ -]{0,60})"\s{0,40}:\s{0,40}(?:["[{\d-]|true\b|false\b|null\b)/uy;
/** So far a text may have words before an object whose brace is missing; longer ones are not looked through for that. */
const [WORDS_BEFORE, MAX_IMPLIED] = [2_000, 100_000];

/** Where an object begins that lacks its opening brace: with the text, or with a line if more braces close than open; else -1. */
export function impliedStart(text: string): number {
  const first = skipBlanks(text, 0, text.length);
  if (sticky(MEMBER_START, text, first) >= 0) return first;
  const count = (sign: string) => text.split(sign).length;
  if (text.length > MAX_IMPLIED || count("}") <= count("{")) return -1;
  const [words = ""] = text.slice(0, WORDS_BEFORE).split(/[[{]/, 1);
  for (const { 0: before, index } of words.matchAll(/\n[ \t]{0,40}/g))
    if (sticky(MEMBER_START, text, index + before.length) >= 0) return index + before.length;
  return -1;
}

/** Keys of several words without quotes: only where nothing else stands before on the line. Or names and values on lines. */
const WORDY_START =
  /(?<=^[ \t]{0,40})\[\s{0,80}\p{L}[^[\]{}()"'\n:.;!?,]{0,200},(?:[^[\]{}()"'\n:.;!?]|(?<=, ?)"[^"\n]{0,80}"(?=\s?[,\]])){1,400}\][ \t]{0,40}(?=\n|$)|(?<=(?:^|\n)[ \t]{0,40})\{\s{0,80}[\p{L}_$][\p{L}\p{N}_$.-]{0,40}(?: [\p{L}\p{N}_$.-]{1,40}){1,4}["'”]?\s{0,40}[:：]|(?<=@|[:=] |(?:^|\n)[ \t]{0,8})(?<!\{[^{}]{0,400}\n[^\n{}]{0,120}= )\{\s{0,80}[\p{L}_]\w{0,40} {0,40}= {0,9}[^\s{}=][^\n{}=]{0,200}\n\s{0,80}[\p{L}_][\w.-]{0,40} {0,40}=/uy;
const NAME = "(?=\\{\\s{0,40}[\\p{L}_$])";
/** A bracket that belongs to something else, by what it begins with and what stands before it. */
const ELSEWHERE = new RegExp(
  `(?:${[
    // `lines begin with "W, [" here`: a quotation that ends behind the bracket.
    '(?=.["”]\\s)(?<=(?:^|\\n)[^"\\n]{0,200}"(?:[^"\\n]{0,80}"[^"\\n]{0,80}"){0,9}[^"\\n]{0,80})',
    // `- [ ] buy milk`
    "(?=\\[[ xX]?\\]\\s)(?<=[-*+.)][ \\t]{1,8})",
    "(?=\\[)(?<=<!\\[CDATA)",
    // `[{{ name }}]`, `[[:alnum:]]`
    "(?=\\[?\\{\\{ ?[a-z_.]{1,60}(?: ?\\|[^{}\\n]{0,80})? ?\\}\\})|(?=\\[\\[:\\w{1,20}:\\]\\])",
    // `if [[ -e "$out" ]]`
    "(?=\\[\\[?\\s(?:!\\s)?(?:-[a-zA-Z]\\s|[\"']?\\$[\\w{}#@[\\]]{1,60}[\"']?\\s(?:[=!<>]|-[a-z]{2}\\s|\\]\\])))",
    // `if (ready) { state: 1 }`
    `${NAME}(?<=(?<!:\\d{1,9})\\) )`,
    // `<p style={{color: "red"}}>`
    "(?=\\{?\\{\\s{0,40}[\\p{L}_$])(?<=<\\w[^<>]{0,200}=\\{?)",
    // `.note { color: red }`, `a:hover { color: red }`
    `${NAME}(?<=(?:(?:^|[\\s,>}])[.#][\\w-]{1,40}|(?:\\w::?|\\]::)[a-z-]{3,20}|[.#][\\w-]{1,40} [>+~] \\w{1,20})\\s{0,8})`,
    // `interface Note { colour: string }`
    `${NAME}(?<=\\b(?:(?:class|interface)\\s{1,8}\\S{1,60}\\s{0,8}|(?:enum|struct|union)(?:\\s{1,8}\\S{1,60})?[ \\t]{0,8}))`,
    // `map["key"]`, `f(x)[0]`, `{["key"] = 1}`, `types[], source[{…}]`
    `(?=\\[\\{)(?<=(?:\\w{1,40}\\[[^[\\]\\n]{0,80}\\], ){2}\\w{1,40})|(?=\\[["'][^"'\\n]{1,60}["']\\]\\s{0,8}[=:])|(?=\\[(?:\\s?(?:"[^"\\n]{0,80}"|'[^'\\n]{0,80}')\\s?\\]|(?!\\s{0,40}["{])))(?<=[\\w\\])$])(?<!\\/THINK\\])`,
    // `{y : y > 0}`, `{n: n for n in names}`, `{ Shape::Round => … }`
    '(?=\\{\\s{0,40}(?:(\\p{L})\\s{0,4}:\\s{0,4}\\|?\\1\\|?\\s{0,4}[^\\s,}]|\\p{L} ?: [^,}"\\n]{0,30}[<>≤≥∈]|\\w{1,40}::|[^"{}\\n]{1,80} for \\w{1,20} in |(?<name>\\w{1,20})\\s?:[^"{}\\n]{1,80} for (?:\\k<name>, \\w{1,20}|\\w{1,20}, \\k<name>) in ))',
    // `serde = { version = "1" }` below `[dependencies]`
    '(?=\\{ ?\\w[\\w-]{0,40} = )(?<=(?:^|\\n)\\[(?:package|workspace|lib|bin|project|tool|target|profile|features|(?:dev-|build-)?dependencies)\\b[\\w."-]{0,60}\\]\\s{0,9}\\n(?:[^\\n[]{0,200}\\n){0,20}[\\w."-]{1,60} = )',
    // `f(#{name => 1})`, `@{n="Size"; e={$_.Length}}`
    "(?<=[\\w(,\"'] ?#)(?=\\{)|(?<=@)(?=\\{[^\\n]{0,200}\\{\\s{0,9}\\$_)",
    // `Note{…}`, `${name}`
    "(?=\\{(?!\\s{0,40}[\"'\\\\]))(?<=[\\w\\])$])(?<!%[A-Z][\\w.]{0,60})",
    // … but not of a call: `<|tool_call>call:name{…}`
  ].join("|")})(?<!(?:^|[\\n.>])call:[\\w.:-]{1,60}(?=\\{))`,
  "uy",
);

/** `[[ ## answer ## ]]`, of DSPy. */
const FIELD_MARK = /\[{1,2} ## \w{1,60} ## \]\]/y;
/** Whether a bracket starts as JSON does; what comes before it tells code and links apart. */
export function plausible(text: string, at: number, c: string): boolean {
  const starts =
    sticky(c === "{" || c === "｛" ? OBJECT_START : LIST_START, text, at) >= 0 ||
    text
      .slice(at + 1, at + 20)
      .trimStart()
      .startsWith("&nbsp;");
  return starts
    ? sticky(ELSEWHERE, text, at) < 0 && sticky(FIELD_MARK, text, at) < 0
    : sticky(WORDY_START, text, at) >= 0;
}
