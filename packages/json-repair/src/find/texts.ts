import { parseContainer } from "../decode/strict.js";
import { rewrite } from "../repair/machine.js";
import { Source } from "../repair/reading.js";
import { MAX_DEPTH } from "../result.js";
import { is, isContainer, isObject, notTheModel, wordIn } from "./key-names.js";

/** Texts in values and lines: JSON in a string, and what comes in pieces, as events or as the parts of a message. */

/** A longer text in a string is read as it is, or not at all. */
const MAX_INNER = 200_000;

/** JSON in a string, repaired if need be. */
export function readText(text: string): { value: unknown; sure: boolean } | undefined {
  const value = parseContainer(text);
  if (value !== undefined) return { value, sure: true };
  if (text.length > MAX_INNER) return undefined;
  const read = rewrite(new Source(text), 0, { maxDepth: MAX_DEPTH });
  const repaired = read.failed || text.slice(read.end).trim() !== "" ? undefined : parseContainer(read.json);
  if (read.failed || repaired === undefined || !read.complete) return undefined;
  return { value: repaired, sure: read.edits.every((edit) => edit.sure) };
}

/** So many texts of a list are tried, and so many fields of one member looked at, so deep. */
const MAX_TEXTS = 4;
const MAX_FIELDS = 40;
const MAX_LEVELS = 8;

/**
 * The texts that the members of a list make together: of those of the same type the pieces that stand at the same place,
 * the longest text first.
 */
export function joinedTexts(members: readonly unknown[]): string[] {
  const texts = new Map<string, string[]>();
  let given: string[] = [];
  for (const member of members) {
    // What a call was given is no answer when that has been answered.
    if (isObject(member) && notTheModel(member)) {
      for (const place of given) texts.delete(place);
      given = [];
    }
    for (const [place, text] of piecesIn(member)) {
      const pieces = texts.get(place);
      if (pieces) pieces.push(text);
      else texts.set(place, [text]);
      if (!pieces && place.split("/").some((key) => is(key, "call", "input"))) given.push(place);
    }
  }
  return [...texts.values()]
    .filter((pieces) => pieces.length > 1)
    .map((pieces) => pieces.join(""))
    .filter((text) => /[{[]/.test(text))
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_TEXTS);
}

/** The texts that the model says in a value, each with its place. */
function* piecesIn(value: unknown): Generator<[string, string]> {
  let level = [{ place: isObject(value) ? `${wordIn(value["type"])} ${wordIn(value["event"])}` : "", node: value }];
  let fields = 0;
  for (let depth = 0; level.length > 0 && depth < MAX_LEVELS; depth++) {
    const next: typeof level = [];
    for (const { place, node } of level) {
      if (typeof node === "string") yield [place, node];
      if (!isContainer(node) || (isObject(node) && notTheModel(node))) continue;
      for (const [key, part] of Object.entries(node))
        if (++fields <= MAX_FIELDS && !is(key, "asked", "none")) next.push({ place: `${place}/${key}`, node: part });
    }
    level = next;
  }
}

/** A line of server-sent events, or of the data stream protocol of the AI SDK (`0:"…"`); what they hold in pieces. */
const LINE = /^(?:(?:event|id|retry)?:|[a-z\d]:|\s*$)/;
const WORDS = /^0:("(?:[^"\\]|\\.)*")\s*$/;
const DATA = /^data: ?(?!\[DONE\])(.*?)\r?$/s;
const ERROR = /^(?:3:"|event: ?error\b)/;

/** The text whose pieces stand on the lines of a stream, and whether no line tells of an error. */
export function textOfStream(text: string): { text: string; sure: boolean } | undefined {
  let joined = "";
  let sure = true;
  for (const [line] of text.matchAll(/[^\n]+/g)) {
    const [, words] = WORDS.exec(line) ?? [];
    const [, data] = DATA.exec(line) ?? [];
    if (ERROR.test(line)) sure = false;
    // A whole object is an event of its own.
    if (data !== undefined && joined === "" && parseContainer(data) !== undefined) return undefined;
    if (words === undefined && data === undefined && !LINE.test(line)) return undefined;
    joined += words === undefined ? (data ?? "") : String(parseContainer(`[${words}]`) ?? "");
  }
  return joined === "" ? undefined : { text: joined, sure };
}
