/** What loose folding leaves out, and still tells one statement from another. */

const MARK =
  /\[(?:\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,4}|\^?[a-z](?=\](?![a-z]))|(?:note|nb|n|fn|ref)\.?\s?\d{1,3})\]|\]\[[^[\]\n]{1,100}\]|<\/?[a-z]{1,9}\b/gi;
/** Marks of notes that end a text, and those that stand behind one. */
const LAST_MARK = /\]\W{0,3}$/;
const MARKS_BEHIND = /^[.,;:!?'"”’»]{0,3}(?:\s?\[(?:\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,4}|\^?[a-z])\]){1,5}/i;
const RAISED = /[⁰¹²³⁴-⁹]+/g;
/** A number with the unit, or the sign of one, behind it. */
const MEASURE = /(\d[\d.,]{0,20})\s?([a-zµμ]{1,4}(?![\p{L}\p{Nd}])|['"′″’”])/giu;
/** Units that mean something else in the other case. */
const CASED = new Set(
  "a b bit c f g gb gbit hz k kb kbit m ma mb mbit mg mhz mj ml mm mn mpa ms msv mt mv mw mwh nm pa pb s t tb w".split(
    " ",
  ),
);

/**
 * Whether a passage that is loosely like a quotation holds its marks too: `argv[1]` is not `argv[2]`, `5 MW` not `5 mW`,
 * `30′` not `30″`. Marks of the passage that the quotation leaves out do not count.
 *
 * @param behind What stands behind the passage: the mark that ends the quotation may.
 */
export function holdsMarks(quote: string, passage: string, behind = ""): boolean {
  const marked = LAST_MARK.test(quote) ? passage + (MARKS_BEHIND.exec(behind)?.[0] ?? "") : passage;
  const raised = passage.match(RAISED);
  return (
    isWithin(quote.match(MARK) ?? [], marked.match(MARK) ?? []) &&
    (raised === null || isWithin(quote.match(RAISED) ?? [], raised)) &&
    haveSameUnits(quote, passage)
  );
}

/** Whether all stand in the other list, in their order. */
function isWithin(wanted: readonly string[], there: readonly string[]): boolean {
  let at = 0;
  for (const mark of there) if (mark.toLowerCase() === wanted[at]?.toLowerCase()) at++;
  return at === wanted.length;
}

function haveSameUnits(quote: string, passage: string): boolean {
  const there = [...passage.matchAll(MEASURE)].map(measureOf);
  return [...quote.matchAll(MEASURE)].map(measureOf).every(({ number, unit, isCased }) => {
    const alike = there.filter(
      (one) => one.number === number && (one.unit === unit || (isCased && one.isCased === isCased)),
    );
    return alike.length === 0 || alike.some((one) => one.unit === unit);
  });
}

/** `isCased`: the kind of a unit whose writing counts. */
function measureOf([, number = "", written = ""]: RegExpMatchArray): { number: string; unit: string; isCased: string } {
  if ("'′’".includes(written)) return { number, unit: "'", isCased: "sign" };
  if ('"″”'.includes(written)) return { number, unit: '"', isCased: "sign" };
  const lower = written.toLowerCase();
  return { number, unit: CASED.has(lower) ? written : lower, isCased: CASED.has(lower) ? lower : "" };
}
