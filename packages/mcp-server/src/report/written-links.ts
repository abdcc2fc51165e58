/** Whether what stands in the brackets of a link, as it is written there, is an address that may be followed. */
export function leadsSomewhere(written: string): boolean {
  // The marks of a quote stand before what goes on in its next line.
  const start = written.replace(/^[\s>]*<?/, "");
  if (/^(?:https?:\/\/|mailto:|[#/?.)])/i.test(start)) return true;
  // Without a scheme, and without a way to write one that is not seen at once: some readers let an address go on in the
  // next line, and browsers leave line ends out. What has been escaped ends one too.
  const [path = ""] = start.split(/[ ()<>]|\\\(|&lt;|&#33;/, 1);
  return path.length < start.length && !/[:&\\\n]/.test(path);
}

/** Finds quotation marks in the addresses of links: for some readers they end the attribute that an address becomes. */
export class QuotesInAddresses {
  readonly #text: string;
  /** Of the address that was looked at last. One that begins in it ends in it. */
  #end = 0;
  #hasQuote = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether one stands in the address that is written at `at`. To be asked from the first address to the last. */
  isIn(at: number): boolean {
    if (at >= this.#end) this.#read(at);
    return this.#hasQuote;
  }

  #read(at: number): void {
    BEFORE_ADDRESS.lastIndex = at;
    const [before = ""] = BEFORE_ADDRESS.exec(this.#text) ?? [];
    // Where the bracket may not stay, the address is a plain one.
    let isInAngles = before.endsWith("<");
    let isPlain = true;
    let depth = 0;
    let end = at + before.length;
    for (; end < this.#text.length && (isInAngles || isPlain); end += 1) {
      const character = this.#text.charAt(end);
      if (character === '"') break;
      if (character === "(") depth += 1;
      if (character === ")") depth -= 1;
      if (depth < 0 || " \t\n".includes(character)) isPlain = false;
      if (character === ">") isInAngles = false;
    }
    this.#end = end;
    this.#hasQuote = this.#text[end] === '"' && (isInAngles || isPlain);
  }
}

const BEFORE_ADDRESS = /[\s>]*<?/y;

/** A link in it, whose path may lose its blanks, is one piece. */
const DESTINATION = /^(?:<[^<>]*>(?=[ \t]|$)|[^\s<](?:\]\(<[^<>\n]*>|[^ \t])*)/;
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
  if (title === undefined || address.includes('"') || !leadsSomewhere(`${address} `)) return false;
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
