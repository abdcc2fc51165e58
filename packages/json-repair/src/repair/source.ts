/** Steps that trials of ways may take in any text, and for each of its characters. */
const CREDIT = 10_000;
const CREDIT_OF_CHARACTER = 0.15;

/** So many characters may be read natively in vain at first. */
const NATIVE = 16_384;

/** A key with a backslash of Markdown. */
const ESCAPED_NAME = /\w\\_[\w-]{0,60}"\s{0,8}:/;

const OPENERS = /[„“«]/;

/** A text, and what its readings share. */
export class Source {
  readonly text: string;
  /** Steps that may still be spent on trials; then the first look decides. */
  credit: number;
  /** Characters that may be read natively in vain. */
  native = NATIVE;
  /** The place that was last asked for a key. */
  readonly asked = { at: -1, limit: -1, isKey: false };
  #escapesNames: boolean | undefined;
  #opensOtherwise: boolean | undefined;
  readonly #found = new Map<string, { from: number; at: number }>();

  constructor(text: string) {
    this.text = text;
    this.credit = CREDIT + CREDIT_OF_CHARACTER * text.length;
  }

  /** Whether keys are written with Markdown's backslashes. */
  get escapesNames(): boolean {
    this.#escapesNames ??= ESCAPED_NAME.test(this.text);
    return this.#escapesNames;
  }

  /** Whether there are quotes that open alone, whatever closes them. */
  get opensOtherwise(): boolean {
    this.#opensOtherwise ??= OPENERS.test(this.text);
    return this.#opensOtherwise;
  }

  /** As `text.indexOf`; places that rise cost one pass together. */
  next(sign: string, from: number): number {
    const known = this.#found.get(sign);
    if (known && known.from <= from && (known.at < 0 || from <= known.at)) return known.at;
    const at = this.text.indexOf(sign, from);
    this.#found.set(sign, { from, at });
    return at;
  }
}
