import { type Leaf, leavesOf } from "./markdown-parser.js";

/**
 * Markdown that a host may show: images are links, HTML is text, and a link leads to the web, to mail, within the page
 * or nowhere. What would mean more is escaped: entities serve, since some readers take a backslash for the end of
 * an address before it. Code stays as it is.
 *
 * @param text Free of control characters (`plainText`).
 */
export function safeMarkdown(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const lines = text.split("\n");
  const safe: string[] = [];
  let done = 0;
  const put = (leaf: Pick<Leaf, "type" | "url">, to: number) => {
    if (to <= done) return;
    safe.push(escapedLeaf(leaf, lines.slice(done, to).join("\n")));
    done = to;
  };
  // Of what is in no leaf nothing is known to be code.
  const unknown = { type: "unknown" } as const;
  for (const leaf of leavesOf(text)) {
    put(unknown, leaf.from);
    put(leaf.from < done ? unknown : leaf, leaf.to);
  }
  put(unknown, lines.length);
  return safe.join("\n");
}

/** Texts without any of these need no look: most reports have none. */
const SUSPICIOUS = /!\[|<(?!https?:\/\/)[a-z/!?]|\]\((?!https?:\/\/)|\]:/i;

function escapedLeaf({ type, url = "" }: Pick<Leaf, "type" | "url">, text: string): string {
  switch (type) {
    case "code":
      return text;
    case "text":
      return escaped(text, "as-code");
    case "row":
      return cellsOf(text)
        .map((cell) => escaped(cell, "as-code"))
        .join("|");
    case "definition": {
      // Not all readers take it for one: for some it is text, or a footnote, whose text is Markdown.
      const end = endOfLabel(text);
      const isGood = isFollowed(url) && leadsSomewhere(`${text.slice(end + 2, end + 2 + LONGEST_LOOK)} `);
      return isGood || isFootnote(text) ? escaped(text, "as-text") : `${text.slice(0, end)}]: # ''`;
    }
    case "unknown":
      return escaped(text, "as-text");
  }
}

/** A row at its bars: a mark in one cell means nothing in the next. */
function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/);
}

const AUTOLINK = /<(?:https?:\/\/[^\s<>]*|[a-z\d.+_-]{1,64}@[a-z\d.-]{1,255})>/iy;

/** Whether readers that know footnotes take a definition for one. */
function isFootnote(definition: string): boolean {
  return definition[definition.indexOf("[") + 1] === "^";
}

/** The bracket that closes the label of a definition. */
function endOfLabel(text: string): number {
  let at = text.indexOf("[") + 1;
  while (at < text.length && text[at] !== "]") at += text[at] === "\\" ? 2 : 1;
  return at;
}

/**
 * An address without brackets around it, up to the next blank. Some readers take a backtick in it for a part of it, others
 * for the start of code.
 */
const URL_START = /:\/\/$|(?:mailto|xmpp):..?$|www\...?$/i;
const REST_OF_URL = /\S*/y;

/** @param ticks What is between backticks: code, which stays, or text like any other. */
function escaped(text: string, ticks: "as-code" | "as-text"): string {
  const closings = ticks === "as-code" ? new Closings(text) : undefined;
  let safe = "";
  let copied = 0;
  let endOfUrl = 0;
  /** Puts this in the place of so many characters. */
  const replace = (at: number, length: number, by: string) => {
    safe += text.slice(copied, at) + by;
    copied = at + length;
  };
  for (let at = 0; at < text.length; at += 1) {
    const next = text[at + 1] ?? "";
    switch (text[at]) {
      case "\\":
        if (next === "<") replace(at, 2, "&lt;");
        at += 1;
        break;
      case "`":
        if (at < endOfUrl) replace(at, 0, "\\");
        else if (closings !== undefined) {
          const end = closings.endOfCode(at);
          const code = text.slice(at, end);
          // Some readers end a paragraph where others go on: only within a line is it certain.
          if (code.includes("\n")) {
            safe += text.slice(copied, at) + escaped(code, "as-text");
            copied = end;
          }
          at = end - 1;
        }
        break;
      case "<":
        AUTOLINK.lastIndex = at;
        if (AUTOLINK.test(text)) at = AUTOLINK.lastIndex - 1;
        else if (/[a-z/!?]/i.test(next)) replace(at, 1, "&lt;");
        break;
      case ":":
      case ".":
        if (at >= endOfUrl && URL_START.test(text.slice(Math.max(0, at - 6), at + 3))) {
          REST_OF_URL.lastIndex = at;
          REST_OF_URL.test(text);
          endOfUrl = REST_OF_URL.lastIndex;
        }
        break;
      case "!":
        // The bracket itself must stay one: without it another one could end a label.
        if (next === "[") replace(at, 1, "&#33;");
        break;
      case "]": {
        const leads = next === "(" || next === ":";
        if (leads && !leadsSomewhere(`${text.slice(at + 2, at + 2 + LONGEST_LOOK)} `)) replace(at + 1, 0, "\\");
        break;
      }
    }
  }
  return safe + text.slice(copied);
}

/** The start of an address tells whether it is one that may be followed. */
const LONGEST_LOOK = 200;

/** Whether what stands in the brackets of a link, as it is written there, is an address that may be followed. */
function leadsSomewhere(written: string): boolean {
  const start = written.trimStart().replace(/^</, "");
  if (/^(?:https?:\/\/|mailto:|[#/?.)]|&#33;\[)/i.test(start)) return true;
  // Without a scheme, and without a way to write one that is not seen at once.
  const [path = ""] = start.split(/[\s()<>]/, 1);
  return path.length < start.length && !/[:&\\]/.test(path);
}

/** Whether an address is one of the web, of mail, or has no scheme. */
function isFollowed(url: string): boolean {
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(url.replaceAll(/\s/g, "")) ?? [];
  return scheme === undefined || ["http", "https", "mailto"].includes(scheme.toLowerCase());
}

/** Finds the end of code that begins with backticks: the next run of as many. Each run is looked at once. */
class Closings {
  readonly #text: string;
  readonly #runs = new Map<number, number[]>();

  constructor(text: string) {
    this.#text = text;
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const starts = this.#runs.get(run.length);
      if (starts === undefined) this.#runs.set(run.length, [index]);
      else starts.push(index);
    }
    for (const starts of this.#runs.values()) starts.reverse();
  }

  /** Behind the code that begins at `at`, or behind its backticks when nothing closes them. */
  endOfCode(at: number): number {
    let opened = at;
    while (this.#text[opened] === "`") opened += 1;
    const starts = this.#runs.get(opened - at) ?? [];
    while (starts.length > 0 && (starts.at(-1) ?? 0) < opened) starts.pop();
    const closing = starts.at(-1);
    return closing === undefined ? opened : closing + (opened - at);
  }
}
