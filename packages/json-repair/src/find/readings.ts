import * as decode from "../decode/encodings.js";

import type { Scan } from "./scan.js";
import { textOfStream } from "./texts.js";

/** What a text may be written as, other than as it stands: another text is searched in its place. */
export interface Reading {
  text: string;
  /** The part of this one that it is made from, and how, if places in it are known. */
  start: number;
  end: number;
  derived?: decode.Derived;
  source: "text" | "string" | "envelope";
  made: "encoding" | "envelope";
  /** Whether nothing else may have been meant. Default: true. */
  sure?: boolean;
  thought?: boolean;
  /** A place that the answer must stand around. */
  at?: number | undefined;
}

function* encoded(derived: decode.Derived | undefined, start: number, end: number, at?: number): Generator<Reading> {
  if (derived) yield { text: derived.text, start, end, derived, source: "text", made: "encoding", at };
}

/** What shows in a text before it is searched: marks before its lines, pieces of a stream, codes of a terminal. */
export function* readingsOf(text: string): Generator<Reading> {
  const end = text.length;
  for (const plain of decode.withoutMarks(text)) yield* encoded(plain, 0, end);
  const stream = textOfStream(text);
  if (stream) yield { ...stream, start: 0, end, source: "envelope", made: "envelope" };
  yield* encoded(decode.withoutTerminalCodes(text), 0, end);
}

/** What shows when its values are known: backslashes and entities before all of them, or a literal around them. */
export function* readingsBeside(text: string, { candidates, escaped, markdown }: Scan): Generator<Reading> {
  const end = text.length;
  if (markdown !== undefined) yield* encoded(decode.withoutMarkdownEscapes(text), 0, end, markdown);
  const areBehind = (place: number) => candidates.every(({ start }) => start > place);
  if (escaped !== undefined && areBehind(escaped))
    yield* encoded(decode.withoutBackslashes(text.slice(escaped)), escaped, end);
  const literal = decode.jsonInLiteral(text) ?? { start: end, end: 0, text: "" };
  const isWithin = (one: { start: number; end: number }) =>
    one.end - one.start === 2 || (one.end > literal.start && one.start < literal.end);
  if (literal.end > 0 && candidates.every(isWithin))
    yield { ...literal, source: "string", made: "encoding", thought: candidates.some((one) => one.thought) };
  const entity = decode.entityStart(text);
  if (candidates.length === 0 || (entity >= 0 && areBehind(entity)))
    yield* encoded(decode.withoutEntities(text), 0, end);
}
