/** Closing brackets, and what to make of one that closes nothing here. */
import { keyAndColonAhead } from "./key-ahead.js";
import { isForeignComma, skipBlanks } from "./lexing.js";
import { closerOf, type Frame, frameOf, OBJECT, type ParserState, TUPLE } from "./state.js";

/** Closing brackets in a row behind a value that goes on. */
const MAX_EXTRA_CLOSERS = 8;

/** The bracket that a closing sign of another width or script looks like. */
export function bracketFor(sign: string): string {
  if (sign === "］" || sign === "】") return "]";
  if (sign === "｝") return "}";
  return sign === "）" ? ")" : sign;
}

/** The same for an opening one. */
export function openerFor(sign: string): string {
  if (sign === "［" || sign === "【") return "[";
  return sign === "｛" ? "{" : sign;
}

/** Whether a comma or another closing bracket stands at `at`: what a bracket before it closes is inside of something. */
export function closesOrSeparates(s: ParserState, at: number): boolean {
  const c = s.text[at] as string;
  return at < s.limit && (",}])］】｝）".includes(c) || isForeignComma(c));
}

/** At a closing bracket. */
export function readCloser(s: ParserState, closer: string): void {
  const at = s.pos;
  const wanted = frameOf(closer);
  s.dropComma();
  if (s.top === wanted) {
    endFrame(s, at, wanted);
    return;
  }
  const level = s.levelOf(wanted);
  if (level < 0) {
    // Nothing of this kind is open: another bracket was meant, if one is needed here at all.
    const left = closersLeft(s, at + 1);
    const needed = left === s.depth - 1 && goesOnAfter(s, at, s.parent);
    if (needed || (left < s.depth && !goesOnAfter(s, at, s.top))) takeAsTop(s, at);
    else {
      s.edit(at, at + 1, "", "extra-closer", false);
      s.pos++;
    }
    return;
  }
  if (wrongCloser(s, at, level)) {
    takeAsTop(s, at);
    return;
  }
  let missing = "";
  while (s.depth > level + 1) {
    missing += closerOf(s.top as Frame);
    s.leave();
  }
  s.edit(at, at, missing, "missing-closer", false);
  endFrame(s, at, wanted);
}

/** The innermost bracket ends here. */
function endFrame(s: ParserState, at: number, frame: Frame): void {
  const closer = closerOf(frame);
  if (s.text[at] !== closer) s.edit(at, at + 1, closer, frame === TUPLE ? undefined : "wrong-closer", false);
  popBehind(s, at);
  if (s.depth === 0) reopenIfItGoesOn(s, at, frame);
}

/** The innermost bracket was meant. */
function takeAsTop(s: ParserState, at: number): void {
  s.edit(at, at + 1, closerOf(s.top as Frame), "wrong-closer", false);
  popBehind(s, at);
}

function popBehind(s: ParserState, at: number): void {
  s.pos = at + 1;
  s.leave();
  s.comma = -1;
  s.last = s.pos;
}

/** How many more brackets close than open in the rest, as far as quotes can be trusted. */
export function closersLeft(s: ParserState, at: number): number {
  return s.source.brackets.net(s.start, at, s.limit);
}

/** Whether the rest closes more than is open: a bracket has closed too early, or has no partner before. */
export function oneCloserMore(s: ParserState, at: number): boolean {
  return closersLeft(s, at) > s.depth;
}

/** So far the bracket is looked for that ends a list. */
const LIST_LENGTH = 400;

/** Whether the first bracket behind `from` that closes something before it is a square one. */
export function listEndsBehind(s: ParserState, from: number): boolean {
  const { text } = s;
  const stop = Math.min(s.limit, from + LIST_LENGTH);
  let open = 0;
  for (let at = from; at < stop; at++) {
    const c = text[at];
    if (c === '"') {
      at = s.source.next('"', at + 1);
      if (at < 0) return false;
    } else if (c === "{" || c === "[") open++;
    else if ((c === "}" || c === "]") && open-- === 0) return c === "]";
  }
  return false;
}

/** Whether the closer at `at` stands for another one, or those between it and its partner at `level` are missing. */
function wrongCloser(s: ParserState, at: number, level: number): boolean {
  const left = closersLeft(s, at + 1);
  if (left === s.depth - 1) return true;
  if (left === level) return false;
  const comma = skipBlanks(s, at + 1);
  if (comma >= s.limit || s.text[comma] !== ",") return false;
  const key = keyAndColonAhead(s, skipBlanks(s, comma + 1));
  const fits = (frame: Frame | undefined) => frame !== undefined && (frame === OBJECT) === key;
  return fits(s.parent) || !fits(s.frameAt(level - 1));
}

/** Whether a comma and a member of the frame follow the closer at `at`. */
function goesOnAfter(s: ParserState, at: number, frame: Frame | undefined): boolean {
  const comma = skipBlanks(s, at + 1);
  if (frame === undefined || comma >= s.limit || s.text[comma] !== ",") return false;
  return (frame === OBJECT) === keyAndColonAhead(s, skipBlanks(s, comma + 1));
}

/** The outermost value has closed; when it plainly goes on, the bracket was one too many. */
function reopenIfItGoesOn(s: ParserState, at: number, frame: Frame): void {
  const { text } = s;
  let comma = skipBlanks(s, at + 1);
  for (let extra = 0; extra < MAX_EXTRA_CLOSERS && (text[comma] === "}" || text[comma] === "]"); extra++)
    comma = skipBlanks(s, comma + 1);
  if (text[comma] !== ",") return;
  const next = skipBlanks(s, comma + 1);
  const goesOn =
    frame === OBJECT ? keyAndColonAhead(s, next) : /["'{[\d\-tfn]/.test(text[next] ?? "") && closersLeft(s, comma) > 0;
  if (!goesOn) return;
  s.edit(at, comma, "", "extra-closer", false);
  s.push(frame, 1);
  s.pos = comma;
  s.last = at;
}
