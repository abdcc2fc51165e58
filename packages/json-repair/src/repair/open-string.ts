/** The string that is being read. */
export class OpenString {
  /** The state that it was met in; `KEY` for every key. */
  readonly role: number;
  /** The code of its quote. */
  readonly quote: number;
  readonly begin: number;
  content: number;
  /** Edits before its content. */
  readonly edits: number;
  /** Inner quotes so far, and whether the last one opened. */
  inner = 0;
  open = false;
  /** Inner quotes that would come in pairs. */
  loose = 0;
  /** One of the inner quotes may be more than content. */
  doubt = false;
  /** It starts as a path does. */
  path = false;
  /** Where a Markdown code block ends that began on a line of it: what stands in it is content. */
  codeEnd = -1;
  /** It has an escape that JSON does not know. */
  foreign = false;
  /** Short escapes that may be a backslash and a letter. */
  suspects: number[] | undefined;

  constructor(role: number, quote: number, begin: number, content: number, edits: number) {
    this.role = role;
    this.quote = quote;
    this.begin = begin;
    this.content = content;
    this.edits = edits;
  }

  /** For a trial. */
  copy(): OpenString {
    const copy = new OpenString(this.role, this.quote, this.begin, this.content, this.edits);
    copy.inner = this.inner;
    copy.loose = this.loose;
    copy.open = this.open;
    copy.path = this.path;
    copy.codeEnd = this.codeEnd;
    return copy;
  }
}
