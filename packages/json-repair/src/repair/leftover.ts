import { LIST, type Reading } from "./reading.js";
import * as t from "./tokens.js";

/** What it costs that the value ends before `from`: signs behind it that look like a part of it. */
export function leftover(r: Reading, from: number, kind = r.top?.kind): number {
  const { text, limit } = r;
  let cost = 0;
  let at = from;
  for (let signs = 0; signs < 6; signs++) {
    const next = t.skipBlanks(text, at, limit);
    if (next >= limit) return cost;
    const line = t.lineEndBetween(text, at, next);
    at = next + 1;
    switch (t.kindOf(text.charCodeAt(next))) {
      case "closer":
        cost += 3;
        break;
      case "colon":
        cost += 4;
        break;
      case "comma": {
        const member = t.skipBlanks(text, at, limit);
        if (t.keyAhead(text, member, limit) || (r.bareKeys && t.nameAhead(text, member, limit))) return cost + 8;
        if (kind === LIST && (t.literalAhead(text, member) || r.isQuote(member))) return cost + 5;
        break;
      }
      case "quote":
        return cost + (t.keyAhead(text, next, limit) ? 8 : 3) + restOfLine(r, at);
      case "opener":
        return cost === 0 ? restOfLine(r, next) : cost;
      case "word":
        return line ? cost : cost + restOfLine(r, next);
      default:
        return cost;
    }
  }
  return cost;
}

/** Brackets and quotes without a partner on the rest of the line. */
function restOfLine(r: Reading, from: number): number {
  const stop = Math.min(r.limit, from + 160);
  let quotes = 0;
  let depth = 0;
  let closers = 0;
  for (let at = from; at < stop; at++) {
    const code = r.text.charCodeAt(at);
    if (code === 10) break;
    if (code === 34) quotes++;
    else if (code === 123 || code === 91) depth++;
    else if ((code === 125 || code === 93) && depth-- <= 0) {
      depth = 0;
      closers++;
    }
  }
  return Math.min(9, 3 * closers + (quotes % 2 === 1 ? 2 : 0) + quotes / 2);
}
