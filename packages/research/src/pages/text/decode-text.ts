/** Bytes of a page → its characters. */

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const DEFAULT = "windows-1252";
/** Where a page of HTML or XML says how it is encoded, it does so early. */
const DECLARATION_BYTES = 4_096;
const CHARSET = /charset\s?=\s?["']?\s?([\w:.-]{1,40})/gi;
const XML_ENCODING = /\sencoding\s?=\s?["']([\w:.-]{1,40})["']/i;

/** Bytes 0x80 to 0x9F of windows-1252: Node 20 decodes them as control characters. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Decodes a text by, in this order: its byte order mark, the charset of its content type, what it says of itself as HTML
 * or XML; else as UTF-8 when it is valid UTF-8, and as windows-1252 when it is not.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined, kind: "html" | "xml" | "text"): string {
  const encoding = markOf(bytes) ?? known(charset) ?? declared(bytes, kind);
  if (encoding !== undefined) return decode(bytes, encoding);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decode(bytes, DEFAULT);
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (UTF8_MARK.every((byte, at) => bytes[at] === byte)) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

function declared(bytes: Uint8Array, kind: "html" | "xml" | "text"): string | undefined {
  if (kind === "text") return undefined;
  const beginning = decode(bytes.subarray(0, DECLARATION_BYTES), DEFAULT);
  const encoding = known(xmlLabel(beginning) ?? (kind === "html" ? metaLabel(beginning) : undefined));
  // It could be read, so it is not UTF-16.
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

function xmlLabel(beginning: string): string | undefined {
  const declaration = beginning.trimStart();
  if (!declaration.startsWith("<?xml")) return undefined;
  return XML_ENCODING.exec(declaration.slice(0, declaration.indexOf("?>")))?.[1];
}

/** Of the first `meta` that has one: `charset="…"`, or as a part of a content type. */
function metaLabel(beginning: string): string | undefined {
  for (const { 1: label, index } of beginning.matchAll(CHARSET)) {
    const element = beginning.slice(beginning.lastIndexOf("<", index), index);
    if (/^<meta[\s/]/i.test(element)) return label;
  }
  return undefined;
}

/** The name of an encoding by any of its labels; `undefined` for one that is not known here. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding !== DEFAULT) return new TextDecoder(encoding).decode(bytes);
  const units = Uint16Array.from(bytes, (byte) =>
    byte >= 0x80 && byte <= 0x9f ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte,
  );
  return new TextDecoder("utf-16le").decode(units);
}
