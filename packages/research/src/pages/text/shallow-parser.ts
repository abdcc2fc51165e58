import { type Handler, Parser } from "htmlparser2";

/** Browsers put elements no deeper into each other. */
export const MAX_DEPTH = 512;
/** Their content is no markup: what it is would be taken for text. */
const RAW = new Set(["script", "style", "title", "textarea"]);

/**
 * A parser of HTML that takes elements beyond a depth for empty, and what they hold for content of the one around them.
 * Without that each element costs as much time as it stands deep.
 */
export class ShallowParser extends Parser {
  readonly #depth: () => number;
  /** Open elements that were taken for empty, by their names. */
  readonly #absent = new Map<string, number>();
  #isAbsent = false;
  #moment: "opening" | "inside" | "closing" = "inside";

  /** @param depth How many elements are open, as the handler counts them. */
  constructor(handler: Partial<Handler>, depth: () => number) {
    super(handler, { decodeEntities: true, lowerCaseTags: true });
    this.#depth = depth;
  }

  override onopentagname(start: number, end: number): void {
    [this.#moment, this.#isAbsent] = ["opening", false];
    super.onopentagname(start, end);
    this.#moment = "inside";
  }

  override onclosetag(start: number, end: number): void {
    this.#moment = "closing";
    super.onclosetag(start, end);
    this.#moment = "inside";
  }

  /** Asked when a tag opens, at its end, and when one closes. */
  override isVoidElement(name: string): boolean {
    if (super.isVoidElement(name)) return true;
    if (this.#moment === "inside") return this.#isAbsent;
    const absent = this.#absent.get(name) ?? 0;
    if (this.#moment === "closing") {
      if (absent > 0) this.#absent.set(name, absent - 1);
      return absent > 0;
    }
    this.#isAbsent = this.#depth() >= MAX_DEPTH && !RAW.has(name);
    if (this.#isAbsent) this.#absent.set(name, absent + 1);
    return this.#isAbsent;
  }
}
