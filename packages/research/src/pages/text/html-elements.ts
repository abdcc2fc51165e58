import { effectsOf, FAINT } from "./style-effects.js";

/** What the elements of HTML mean for its text. */

/** Nothing of their content is text of the page. */
export const UNSEEN_ELEMENTS = new Set(
  "script style noscript noframes noembed template title svg canvas iframe object embed audio video meter progress select datalist textarea rp annotation annotation-xml".split(
    " ",
  ),
);

/** They begin and end a paragraph. */
export const BLOCKS = new Set(
  "address article aside blockquote body center details dialog dir div dl fieldset figure footer form header hgroup html legend main menu nav ol p search section summary table ul figcaption".split(
    " ",
  ),
);

/** They begin and end a line. */
export const LINES = new Set("dd dt li tr caption thead tbody tfoot option".split(" "));

/** A cell that holds one of these is a part of the page's layout. */
export const NO_CELL_CONTENT = new Set("table h1 h2 h3 h4 h5 h6 pre blockquote article section".split(" "));

/** Style may set them apart from each other inside of a line. */
export const ASIDE = new Set("span a b strong em i small label time data button output".split(" "));

const HEADING_LEVELS = new Map(["h1", "h2", "h3", "h4", "h5", "h6"].map((name, at) => [name, at + 1]));

/** The level of a heading, 1 to 6; `undefined` for every other element. */
export function headingLevel(name: string): number | undefined {
  return HEADING_LEVELS.get(name);
}

/** Whether no reader sees the element, by its attributes. */
export function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (attributes["hidden"] !== undefined && attributes["hidden"] !== "until-found") return true;
  // What a click opens on top of the page is no part of it.
  if (attributes["popover"] !== undefined) return true;
  if (name === "dialog" && attributes["open"] === undefined) return true;
  const style = attributes["style"] ?? "";
  return style !== "" && effectsOf(style).some(({ property, hides }) => hides && !FAINT.has(property));
}
