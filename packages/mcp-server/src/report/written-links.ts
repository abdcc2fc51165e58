/** Whether what stands in the brackets of a link, as it is written there, is an address that may be followed. */
export function leadsSomewhere(written: string): boolean {
  // The marks of a quote stand before what goes on in its next line.
  const start = written.replace(/^[\s>]*<?/, "");
  if (/^(?:https?:\/\/|mailto:|[#/?.)])/i.test(start)) return true;
  // Without a scheme, and without a way to write one that is not seen at once. What has been escaped ends one too.
  const [path = ""] = start.split(/[ \n()<>]|\\\(|&lt;|&#33;/, 1);
  return path.length < start.length && !/[:&\\]/.test(path);
}

const DESTINATION = /^(?:<[^<>]*>|[^\s<][^ \t]*)/;
const TITLE = /^["'(]/;

/**
 * Whether a definition whose address and title are written at `at` leads somewhere good, and ends with its line: some
 * readers let a title reach over everything that follows.
 */
export function isGoodDefinition(text: string, at: number): boolean {
  const end = text.indexOf("\n", at);
  const written = withoutBlanks(text.slice(at, end < 0 ? undefined : end));
  const [address = ""] = DESTINATION.exec(written) ?? [];
  if (address === "") return false;
  const rest = withoutBlanks(written.slice(address.length));
  const title = TITLE.test(rest) ? endOfTitle(rest) : 0;
  // Text behind an address, for a footnote say: no reader takes it for a definition.
  if (title !== undefined && rest.slice(title).trim() !== "" && !address.startsWith("<")) return true;
  if (title === undefined || !leadsSomewhere(`${address} `)) return false;
  if (rest !== "") return title > 0;
  return end < 0 || !/^[\s>]*["'(]/.test(text.slice(end, end + LONGEST_LOOK));
}

/** Other blanks than these are text for some readers. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t]+/, "");
}

/** Behind the title that a text begins with, when it closes there for certain. */
function endOfTitle(text: string): number | undefined {
  const closing = text.indexOf(text.startsWith("(") ? ")" : text.charAt(0), 1);
  return TITLE.test(text) && closing > 0 && text[closing - 1] !== "\\" ? closing + 1 : undefined;
}

const LONGEST_LOOK = 200;

/** What is as good without angles. */
const IN_ANGLES = /([ \t]*)<([a-z/][^<>\n\\&:`|[\]!@]{0,2000})>(?=[) \t\n]|$)/iy;

/** A path in angles, which a reader that sees no link there takes for a tag, and the same without them. */
export function pathInAngles(text: string, at: number): { length: number; plain: string } | undefined {
  IN_ANGLES.lastIndex = at;
  const [written = "", blanks, path] = IN_ANGLES.exec(text) ?? [];
  if (path === undefined) return undefined;
  const plain = path.replace(/[ \t()"']/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return { length: written.length, plain: `${blanks}${plain}` };
}
