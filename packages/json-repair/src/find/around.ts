import { isObject } from "../decode/strict.js";
import type { Candidate } from "./answer.js";
import { ANSWER_TAG, before, behind, hasStray, isChanged, NEAR } from "./answer.js";
import { isForm, isUsual } from "./known-objects.js";

/** What the text around a value says of it: that it is none, a former one, a correction, an example, or a part of something. */

/** Before a value that is struck out, or came of an error, or of the next question. */
const STRUCK_OUT =
  /(?:<(?:del|s|strike|input|question|query|prompt|examples?|few[_-]shots?|context|documents|memor(?:y|ies)|history|system-reminder|(?:search|tool|function)[_-](?:responses?|results?|outputs?)|old|original|before|wrong|incorrect|bad)>|(?<![~}\]\w])~~)\s{0,40}$|\b(?:\w{0,40}(?:Error|Exception)|Err|Failure)\($/i;
const CAME_OF =
  /(?:^|\n)\s{0,8}(?:[\w.]{0,80}(?:error|exception)\s?:[^\n]*|(?:attempt|try|run)\b[^\n:]{0,20}\bfailed\s?:[^\n]*(?:\n\s{0,8})?|(?:human|user)\s?:(?:[^\n]*\n(?!(?:\*\*)?(?:assistant|ai)\b)[^\n]{0,80}|[ \t]*(?:\w[^\n]*)?)|HTTP(?:\/[\d.]{1,3})? [45]\d\d\b[^\n]{0,60}\n\s{0,8}\w{1,20}\s?:\s{0,8})$/i;

/** What stands between a value and the words that introduce it. */
const OPENS_VALUE = /\s{0,8}(?:```\w{0,10}\s{1,8})?(?:(?:[-*•]|\d{1,3}[.)]) )?[`"'(*]{0,4}\s{0,8}$/;
const OPENING = 36;
/** Their end, if the value stands below them: or they are a heading. */
const TITLE = /(?:[:：!❌✗]|(?:^|\n)(?:#{1,6} [^\n]{1,80}|\*\*[^\n*]{1,60})\**)[*_]{0,3}$/;
/** So much of these words is read. */
const INTRO = 100;

/** The words that introduce a value: the last ones of its line, or of one before it that ends in a colon; no more than a sentence. */
function introOf(left: string): string {
  const mayOpen = /[\s`"'(*]/.test(left.at(-1) ?? "");
  const opening = (mayOpen && OPENS_VALUE.exec(left.slice(-OPENING))?.[0]) || "";
  const words = left.slice(0, left.length - opening.length);
  if (opening.includes("\n") && !TITLE.test(words.slice(-100))) return "";
  const sentence = words.slice(-INTRO).replace(/^[\s\S]*(?:\n|(?<!\be\.\s?g)[.!?][)"]{0,2}\s|[{}[\]])/i, "");
  const bare = sentence.replaceAll("*", "");
  return bare.slice(-INTRO).replace(/[\s:：!,;._)]+$/, "") + (opening.includes("\n") ? ":" : "");
}

/** What such words call a value: none. */
const NONE = [
  "\\b(?:wrong|incorrect|bad|example)\\b.{0,20} would be\\b",
  "\\b(?:not|never|don't) (?:use|send|write|output|answer|return|give|say|copy)(?: (?:it|this|that|these|those|the (?:following|old|former|other|wrong))\\b.{0,80})?:?$",
  "\\b(?:do not|don't|never) do (?:this|that|it)\\b|\\b(?:avoid|counter-?example|fake)(?=:?$)|\\bis (?:invalid|broken|malformed) (?:json|output)\\b",
  "\\bnot? (?:chosen|selected|used|recommended|accepted|correct|final)\\b",
  "\\b(?:wrong(?!,? so\\b)|falsch(?:e[rsnm]?)?|incorrect[ao]?|sbagliat[oa]|errad[oa]|(?:would|could) have been|would (?:look|have (?:returned|answered|been))|for (?:comparison|reference|illustration))(?![\\w-]|\\.\\w)",
  "\\b(?:(?<!if )no[tr](?: th(?:is|ese))?|e\\.\\s?g(?:\\.?,? for(?: [\\w-]{1,20}){1,4}:?)?|instead of|rather than|(?:an)?statt|en lugar de|au lieu de)$|вместо$",
  "\\b(?:example|for instance|exempl[eo]|ejemplo|esempio|beispiel(?:ausgabe|daten)?|voorbeeld|bijvoorbeeld|przykład|exempel|eksempel|příklad|örnek|contoh|ví dụ|(?<=^\\W{0,8})(?:sample|mock) (?:data|response|output|answer))(?=(?: [\\w\\u00c0-\\u024f(#–—-]{1,20}){0,5}:?$)|(?:пример|παράδειγμα|مثال|उदाहरण)[^:]{0,20}:?$|(?:示例|例如|比如|出力例|例えば|(?<![\\u4e00-\\u9fff])例|예시|예)$",
  "[❌✗]",
].join("|");
/** A former one: in the first or last words, and not as what it comes from. */
const FORMER = [
  "rejected|considered|would be|(?<=^\\W{0,8})(?:before|previously|formerly|was|replaced)(?=:?$)",
  "(?:deprecated|obsolete|superseded|invalid|draft|original|previous|earlier|former|old|outdated|bad|template)(?:(?<=^\\W{0,8}(?:[a-z]{1,5} )?\\w{1,12})|(?=(?: [\\w-]{1,20}){0,3}:?$))",
].join("|");
/** One that takes the place of others. */
const INSTEAD = [
  "(?:wrong,? so|should (?:be|read)|better|actually|wait|oops|sorry|final (?:answer|result|choice|decision|version|record|state))\\b",
  "(?<!\\b(?:was|were|is|are|been) )(?:corrected|revised|updated)\\b",
  "(?<!\\b(?:was|were|is|are|been) )(?:fixed|final|correct(?:ion)?)(?: (?:json|version|answer|output|result|response|decision|choice|object|data|one|list|value|is|was|be)){0,3}(?=:?$)",
].join("|");
/** The one that is meant, or one of these; of several such words the last one counts. */
const CALLED = new RegExp(
  `(?<none>${NONE})|(?<former>(?<!\\b(?:from|of|for|in|by|with|without|\\w{3,12}ing) (?:the|my|our|an?) )\\b(?:${FORMER})(?![\\w-]))|\\b(?<instead>${INSTEAD})|\\b(?:use (?:this one|the following)\\b.*|(?:right|here|so|use|instead|new|recommend)\\b)`,
  "gi",
);

/** Words that stand beside these and tell nothing else. */
const NEUTRAL =
  /\b(?:a|an|and|another|answer|as|at|attempt|below|code|data|do|final|first|following|for|here|i|in|json|last|list|let|me|my|now|object|of|ok|one|our|output|respon[sc]e|result|so|step|text|the|these|this|those|use|value|version|with|you|your)\b/gi;
/** Said of nothing but what comes next. */
const DIRECT = /^(?:not|instead of|rather than|(?:an)?statt|en lugar de|au lieu de|вместо|e\.\s?g)$/i;
/** Of what is not there. */
const SUPPOSED = /\b(?:would|could|consider\w*|reference|comparison)\b/i;

interface Called {
  what: "none" | "former" | "instead" | undefined;
  words: string;
  /** Nothing else is said, so that nothing else can be meant. */
  plain: boolean;
}

/** What the words that introduce a value call it. */
function calledIn(left: string): Called | undefined {
  const intro = introOf(left);
  const whats: Called["what"][] = [];
  let words: string | undefined;
  // `matchAll` would compile the pattern anew.
  const others = intro.slice(-INTRO).replace(CALLED, (found: string, ...groups: unknown[]) => {
    whats.push((["none", "former", "instead"] as const).find((_, nth) => groups[nth]));
    words = found;
    return "";
  });
  if (words === undefined) return undefined;
  const what = whats.at(-1);
  const isOne = new Set(whats.filter(Boolean)).size === 1;
  const isAll = isOne && !/\p{L}/u.test(others.replace(NEUTRAL, "")) && !SUPPOSED.test(intro);
  return {
    what,
    words,
    plain: isAll || DIRECT.test(words) || (what !== "instead" && /\b(?:was|were|following is \w+):?$/.test(intro)),
  };
}

/** Whether the words that introduce a value say that it takes the place of those before it; as the final one, whatever their keys. */
export function isCorrection(one: Candidate, text: string, { plain = false, final = false } = {}): boolean {
  const called = calledIn(before(text, one));
  if (called?.what !== "instead" || (plain && !called.plain)) return false;
  return !final || /final (?:answer|result)/i.test(called.words);
}

/** What is said of a value behind it, in the same sentence. */
const REJECTED =
  /^[ \t,)`"'*]{0,6}(?:(?:is|was|were|has been|[-–—]) (?:rejected|discarded|dropped|ruled out|wrong|incorrect|invalid|obsolete|outdated)|[^\n.;:{[]{0,60}\band must not be used)\b(?! (?:only|if|when|unless|for|in)\b)/;

/** A comment that has not ended. */
const COMMENTED = /(?:^|\n)[ \t]*\/\/[^\n]*$|(?:^|\s)\/\*(?!.*\*\/)|<!--(?!.*-->)/s;

/** A comment behind another value. */
const IN_COMMENT = /[}\]][ \t]{1,8}(?:\/\/|#)[ \t][^\n{["]{0,40}$/;
/** A comment of a shell or of SQL, or a title, or an item. */
const MAY_BE_COMMENT = /(?:^|\n)[ \t]*(?:#|--|;|rem) +$/;

/** The mark of a quotation that nothing introduces, or a mail. */
const QUOTED = /(?:^|\bwr(?:ote|ites):)\s{0,8}>[ \t]?$/;
/** A call whose arguments are in tags. */
const IS_CALL = /<(?:\w{1,20}:|[|｜]{1,2}DSML[|｜]{1,2})?(?:function|invoke|parameter)[= ][^<>\n]{1,90}>/;
/** Another argument stands before it. */
const AMONG_ARGUMENTS = /<\/parameter>\s{0,8}<parameter[^<>]{1,80}>\s{0,8}$/;

/** Whether a value is commented out, or the text says right before it that it is none, or, beside others, a `former` one. */
export function isSpokenAgainst(one: Candidate, text: string, { former = true, plain = false } = {}): boolean {
  if (REJECTED.test(behind(text, one))) return true;
  const left = before(text, one);
  const isInput = /(?:^|\n)[*#]{0,4} ?input\s?:[*\s]{0,8}$/i.test(left);
  if (isInput && /^\s{1,8}[*#]{0,4} ?output\s?:/i.test(behind(text, one))) return true;
  if (COMMENTED.test(left.slice(-NEAR)) || STRUCK_OUT.test(left.slice(-50))) return true;
  if (IN_COMMENT.test(left.slice(-60)) || CAME_OF.test(left)) return true;
  const called = calledIn(left);
  return (called?.what === "none" || (former && called?.what === "former")) && (!plain || called.plain);
}

/** Words that tell what came of a value that was given to a tool, behind brackets, quotes and closing tags. */
const TELLS =
  /^(?:<\/[^<>]{0,60}>|[^\w<]){0,20}(?:<(?:tool|function)_|<\|call\|><\|start\|>functions|(?:(?:tool|function) )?(?:observation|error|exception|result|response|output|status|received|final answer)\b[^\n:]{0,20}:|#{1,4} final answer|HTTP\/\d|[45]\d\d (?:bad|unauthorized|forbidden|not|method|conflict|gone|unprocessable|too|internal|service|gateway)\b|not found[.!]?\s*(?:\n|$))/i;

/** JSON's signs before a value, as if it were a part of something; a tag as `[THINK]` is none. */
const SIGN_BEFORE =
  /(?:[{}["]|\d[eE]?[+-]|(?<![A-Z])\]|(?:^|["”{}[\],:\d\n]|true|false|null) ?[,:]|(?:,[ \t\r]{0,8}\n\s{0,40}|"\s?:\s{0,8})(?:-?\d[\d.eE+-]{0,30}|true|false|null))\s{0,40}$|\d\.$|[[,:]\s{0,40}-?\d[\d.]{0,30}$|[[,]\s{0,40}[+-]$|\w\(\w[^()"\n]{0,80}\w: ?$|[=!]= ?$|"\s?:\s?"[^"\n]{1,80}$/;
/** And behind it, or an end of more than it. A sentence goes on after a comma and a blank. */
const SIGN_BEHIND =
  /^(?:[^{[]*[}\]]|\s*\/\/[^\n]{0,120}\n\s*"|[\w+-]|\.\d|[^\s{[]{1,80}"\s{0,8}[:,]|\s*(?:["{:]|-\d|(?:true|false|null|\d[\d.eE+-]{0,30}),[ \t\r]{0,8}\n\s*(?:["{[\d-]|true|false|null)|\[(?!\/?[A-Z])|,(?!\s+(?!(?:true|false|null)\b|[\p{L}_$][\w$-]{0,40}["']?(?:\s{0,8}:| = ))\p{L})))/u;
/** A member of another notation. */
const MEMBER_BEHIND = /^\s{0,80}'[^'\n]{1,60}' ?(?:=>|:)|^\n[ \t]{1,40}\w{1,40}: ?'[^'\n]{0,80}'/;

/** A bracket that is open, and that a closing one in the value may be the partner of. */
const OPEN_BEFORE = /[[{][^[\]{}"]*$/;
/** Or it closes what that key's value has opened. */
const KEY_BEFORE = /\w["']?[ \t]?:[ \t]?$/;
/** So much before a value may have the head of a mail or of an answer. */
const HEAD = 1_000;
/** What says before a value that it shows how one looks, or is not to look. */
const SHOWS =
  /(?:(?:^|\n)\W{0,4}(?:response|output|reply|answer|expected|json) format|\b(?:(?:sample|example|expected) (?:output|response|answer)|(?:dummy|placeholder) \w+|placeholder|(?:will|would|could|might|should|must|may) look(?: \w+){0,3}|something like(?: this)?|not to \w+|(?:has|have) this (?:shape|form|format|structure)|(?:typical|mock|hypothetical) (?:response|output|answer|result|value)[^\n:]{0,80}|format is|such as|failed to (?:add|create|insert|save|send|store|update)(?: \w{1,20}){0,2}|has an? (?:\w{1,20} )?error|(?:none|one) of|choose from|i (?:removed|deleted)|(?:for|in) the format|inventados|none of the [\w ]{1,30}(?:match|fit|appl)\w*[^\n]{0,80}|maybe|perhaps|(?:normally|usually|otherwise) i(?:'d| would) \w+|suppose [^\n:]{0,40}|could be|(?:asking|asks?|tells?|telling) me to (?:output|print|say|return|answer|respond)|(?:do not|don't|never) [^\n:]{0,40} like|würde die \w+ aussehen|nehmen wir an|supposons)|(?:^|\n)\W{0,4}(?:(?:you (?:sent|provided|gave(?: me)?|wrote|asked me to \w+)|i (?:received|got|was given)|the input was)|format|thought ?:[^\n]{1,150})|\b(?:sample|example|placeholder) (?:since|because) (?:i|we|there|no|the) [^\n]{1,80}|\b(?:can(?:no|')t|cannot|could(?: no|n')t|(?:un|not )able to|won't|will not|so (?:that )?(?:i|we) can(?= (?:answer|create|fill|generate|give|output|produce|return|send|write)\b)|would (?:only |just )?be able to) \w{1,20}(?: \w{1,20}){0,2}(?= ?$)|\bhad [^\n.:]{1,80} would (?:be|have been)|输出格式如下|ダミーデータです)\s?[:：]?\s{0,8}(?:```\w{0,10}\s*)?$/i;
/** What says behind a value, up to the next one, that it only shows how one looks, or is wrong, or not all. */
const TAKEN_BACK = new RegExp(
  [
    "(?<!\\bnot )\\b(?:placeholders?(?! until)|made[- ]up|fictitious|hypothetical|illustrative)\\b|\\b(?:dummy|sample|example|fictional) (?:values?|data|numbers?|entries|names)\\b",
    "\\b(?:just|only|merely) (?:an? )?(?:example|sample|template)|\\b(?:is|are) (?:an? |just |only ){0,3}(?:examples?|samples?)\\b|\\bwith your own\\b|\\bmade (?:\\w{1,20} ){1,3}up\\b",
    "\\b(?:that|this|it|which|above|answer|values?|result|output|json)(?:'s| (?:is|was|are|were)) (?:not (?:the )?(?:right|correct|final|actual)|wrong|incorrect|obsolete|outdated)\\b|[❌✗]|\\b(?:not|n't) what you asked\\b|\\bdo you mean\\?|\\b(?:like|want) me to do with (?:it|this|that|them)\\?",
    "^[\\s)`\"'*]{0,8}\\(?(?:wrong|incorrect|obsolete|outdated)\\b(?!\\s?:)|\\bignore (?:the above|that|this|it)\\b|\\bmade an? (?:mistake|error)\\b|\\bcorrection\\s?:|\\b(?:oops|hmm)\\b",
    "(?:\\.{3}|…) ?\\(?\\d+ more|\\bmore (?:rows|items|entries|results|records)\\b|\\b(?:truncated|omitted)\\b|\\bfor brevity\\b|\\bonly (?:included|showing|shown|listed|the first)\\b|\\bcontinue with\\b",
  ].join("|"),
  "i",
);
/** Or changes it, names another one, or says so in other languages. */
const CHANGED = new RegExp(
  [
    "\\b(?:scratch that|never ?mind(?=[.,!]|$)|hold on|disregard|erratum|my (?:mistake|bad)|i mixed up)\\b|(?:^|\\n)[#*_> ]{0,4}(?:update|edit) ?:|\\b(?:is|are|were) (?:fabricated|invented|fictional)\\b|\\b(?:fill|insert|replace|change|put|use)\\b[^.\\n]{0,30} (?:actual|real) (?:\\w{1,20} before|values?|names?|data)\\b",
    "\\b(?:answer|choice|selection|corrected) ?:[ \\n]{0,4}[\"'\\w\\u00c0-\\uffdc]|\\bnone (?:of (?:them|these|those) )?(?:appl|match|fit)|beispiel(?:daten|werte)|erfunden|inventad[oa]s|inventées?|fictives?|fittizi[aoe]|verzonnen|zmyślon|вымышлен|虚构|架空|サンプル|가상",
    "\\babove is(?: not|n't)\\b|^ is missing\\b|\\bactually, (?:the|it|his|her|their)\\b|\\bactually (?:spelled|called|named|written)\\b|\\bshould be (?:\\d|removed)|\\binvented\\b|\\bwait, |\\bkorrektur|訂正|^\\)? returned nothing\\b|\\band so on\\b|\\b(?:rest|others?) follows?\\b|\\b(?:should|shall) i continue\\b|其余省略|以下省略",
  ].join("|"),
  "i",
);
/** What says before a list that it is a part of one. */
const PART_OF =
  /\b(?:first (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|few) of (?:the )?\w+|showing \w+ of \w+|partial list|part \d+ ?(?:\/|of) ?\d+)\b[^\n:]{0,60}:?\s{0,8}(?:```\w{0,10}\s*)?$|(?<!以)前[一二两三四五六七八九十\d]{1,3}[条个项](?:[（(][^\n]{0,20})?[：:]?\s*$/i;
/** `type A = {a: number}`: names of types for values. */
const TYPE = /^"(?:string|number|boolean|integer|int|str|bool|float|any)(?:\[\])?"$/;
/** An item in words, behind one that is a value. */
const ITEM_BEHIND = /^[^\S\n]*\n[ \t]*(?:[-*•]|\d{1,4}[.)]) [^\s{["'`*_\d]/;
const ITEM_BEFORE = /(?:^|\n)[ \t]*(?:[-*•]|\d{1,4}[.)]) $/;
/** What a program goes on with behind names in braces: `const {a: b} = c`, `function f({a: b}) {`. */
const DESTRUCTURED = /^\s?=\s?\w|^\)\s*(?:\{|=>|:)/;
/** `name: Ann⏎tags: ["a"]`: a list of YAML. */
const IN_YAML = /(?:^|\n)[a-z][\w-]{0,40}: [^\n]{1,80}\n[a-z][\w-]{0,40}:? $/;
/** `name: "x", meta: {"a": 1}`: members whose braces are missing. */
const IN_MEMBERS = /(?:^|\n)[a-z][\w-]{0,40}: [^\n{[]{1,80}, ?([a-z][\w-]{0,40}): $/;
/** `Row(id=1, tags=`, `{id=5, body='`, `f({a: 1}, index=`, `#<User id: 1, tags: `, `-H 'key: ` */
const FIELD =
  /[({](?:[^(){}\n]{0,150}, ?)?(\w{1,40})=['"]?$|[}\])], ?(\w{1,40})=['"]?$|(?:["}\]][}\]],?|\d[}\]],) (\w{1,40}): ?$|(?:#<[A-Z][\w:]{0,60} [^<>\n]{0,150}|-H ['"][\w-]{1,40}): $/;
/** `Is {"a": 1} valid?` */
const ASKS = /(?:^|[\n.!?])\s{0,8}(?:is|are|does|do|did|can|could|should|would|why|what|how)\b[^.!?\n]{0,80}$/i;
/** `post(url, json={"a": 1})`, `total = sum([1, 2])` */
const IN_CALL = /\w\([^()\n]{0,200}\w ?= ?$|(?:^|\n)[ \t]{0,40}\w[\w.]{0,60} = [\w.]{1,60}\($/;
/** `PHASES = {full: 15}` */
const CONSTANT = /(?:^|\n)[A-Z_]{2,40} = $/;
/** `p {margin: 0}`, `GET /items/{id: int}` */
const RULE = /(?:^|\n)[ \t]{0,8}(?:[A-Z]{3,7} )?(?:([a-z][\w.#-]{0,20}) |(\/[\w./-]{0,60}))$/;
/** `Setup = {a = 1}`, `run --with @{a = 1}` */
const ASSIGNED = /(?:^|\n)[ \t]{0,8}(?:\w{1,9} )?[\w.-]{1,30} ?:?= ?$|\w[^\n]{0,40} @$/;

/** So much of a value is looked at for another way to write it. */
const MOST_INSIDE = 20_000;
/** What tells that bytes or pieces of a text are written in another way. */
const ENCODED = /(?:^|\n)[\w-]{0,40}Encoding: (?:quoted-printable|chunked)\s/i;
/** Whether what is around a value may have another way to write what is in it: a string of SQL, a mail, an answer of HTTP. */
function isEncoded(text: string, one: Candidate): boolean {
  const [left, inside] = [before(text, one), text.slice(one.start, one.end)];
  const head = inside.slice(0, MOST_INSIDE);
  // One of the apostrophes around it was lost.
  if (/^'\s*$/.test(behind(text, one)) && left.trim() === "" && head.includes("\\\\")) return true;
  // SQL doubles apostrophes, and Python backslashes; HTML has its own signs, but not in a script.
  if (
    left.endsWith("'") &&
    (/(?:^|[=(:] ?|\n)'$/.test(left) && !/--[\w-]{1,30}='$/.test(left.slice(-40)) ? /''|\\\\/ : /''/).test(head)
  )
    return true;
  if (
    !ANSWER_TAG.test(left) &&
    /(?:<(?!script)\w[^<>]{0,100}>\s?|\w=["'])$/.test(left) &&
    /&(?:lt|gt|amp|quot|#39);/.test(head)
  )
    return true;
  const isBroken = one.edits.some(({ kind }) => kind === "control-character") || /=[\dA-F]{2}/.test(inside);
  return isBroken && ENCODED.test(text.slice(Math.max(0, one.start - HEAD), one.start));
}

/** So many edits are looked at for names. */
const MOST_NAMES = 1_000;
/** Whether what stands for values are names of types, or of variables: `{name: name}`, `{city: user.city}`. */
function holdsNames({ value, edits }: Candidate, right: string): boolean {
  const bare = new Set(edits.slice(0, MOST_NAMES).flatMap(({ kind, by }) => (kind === "unquoted" ? by : [])));
  if (bare.size === 0) return false;
  const isName = ([key, one]: [string, unknown]) =>
    typeof one === "string" && (one === key || one.endsWith(`.${key}`)) && bare.has(JSON.stringify(one));
  return (
    DESTRUCTURED.test(right) || [...bare].some((by) => TYPE.test(by)) || Object.entries(Object(value)).some(isName)
  );
}

/** Whether a pattern found a name in its groups that is not usual for answers. */
const isOfOther = (found: RegExpExecArray | null) => found !== null && !isUsual(found[1] ?? found[2] ?? found[3] ?? "");

/** Whether the text around a value says that it may be no answer, or a part of something. */
export function isSurrounded(text: string, one: Candidate): boolean {
  const [left, right] = [before(text, one), behind(text, one)];
  const words = right.replace(/(?:\{|\[(?=[\s"'{[\d])).*$/s, "");
  const closer = one.edits.find(({ kind }) => kind === "extra-closer");
  const isTaken =
    closer &&
    (OPEN_BEFORE.test(left) ||
      (KEY_BEFORE.test(left) &&
        text[closer.at] === text[one.end - 1] &&
        /^\s{0,40},/.test(text.slice(closer.end, closer.end + 41))));
  const isPart =
    isTaken ||
    isOfOther(FIELD.exec(left)) ||
    (text[one.start] === "[" && /\b(?:Optional|Option|Some|Maybe|Just)$/.test(left)) ||
    SIGN_BEFORE.test(left.slice(-NEAR)) ||
    SIGN_BEHIND.test(right) ||
    MEMBER_BEHIND.test(right);
  const isShown =
    SHOWS.test(left.slice(-NEAR)) ||
    TAKEN_BACK.test(words.slice(0, NEAR)) ||
    IS_CALL.test(words) ||
    CHANGED.test(words.slice(0, NEAR)) ||
    (Array.isArray(one.value) && PART_OF.test(left.slice(-NEAR))) ||
    isOfOther(IN_MEMBERS.exec(left)) ||
    ((Array.isArray(one.value) || one.edits[0]?.kind === "unquoted") && IN_YAML.test(left)) ||
    MAY_BE_COMMENT.test(left) ||
    QUOTED.test(left) ||
    (isObject(one.value) && AMONG_ARGUMENTS.test(left) && /^\s{0,8}<\/parameter>/.test(right)) ||
    (Array.isArray(one.value) && ITEM_BEFORE.test(left) && ITEM_BEHIND.test(right)) ||
    (ASKS.test(left.slice(-NEAR)) && /^[^.\n{}[\]]{0,60}\?/.test(right));
  const isProgram =
    holdsNames(one, right) ||
    isChanged(left, right) ||
    (CONSTANT.test(left.slice(-60)) && one.edits.some(({ kind }) => kind === "unquoted")) ||
    (isOfOther(RULE.exec(left.slice(-100))) &&
      /^\{ ?[a-z]\w{0,40}:[^\n]*$/i.test(text.slice(one.start, one.end).slice(0, 80))) ||
    (one.fence !== undefined && IN_CALL.test(left)) ||
    (ASSIGNED.test(left.slice(-60)) && one.edits.some(({ at, by }) => by === ":" && text[at] === "="));
  // Of a value that is called a former one, and nothing else, there should be another.
  const isDoubted = isSpokenAgainst(one, text, { former: false }) || isSpokenAgainst(one, text, { plain: true });
  const isNone = isEncoded(text, one) || isForm(one.value) || isDoubted;
  return !hasStray(one) && (one.torn === true || isPart || isShown || isProgram || isNone || TELLS.test(right));
}

/** What a person says next, or is asked to do, in the words of templates. */
export const TURN =
  /(?:^|\n)[ \t]{0,8}(?:human\s?:|(?:user\s?:[^\n]{0,400}\n\s{0,8}(?:assistant|ai)|\n[ \t]{0,8}input\s?:[^\n]{0,400}\n\s{0,8}output)\s?:|#{2,3} ?(?:instruction|input|human)\s?:?[ \t]{0,80}\n)|<\|(?:im_start|start_header_id)\|>\s?user|<start_of_turn>user|\[INST\]/i;
/** What tells that a text is a whole talk, from its first words on. */
export const TALK =
  /(?:^|\n)[ \t]{0,8}#{0,4} ?(?:(?:system|input|assistant)\b|ai\s?:)|<\|(?:im_start|start_header)|<start_of_turn>|\[INST\]|<<SYS>>/i;
/** So much before the first value is looked at for that. */
export const TALK_BEFORE = 4_000;
