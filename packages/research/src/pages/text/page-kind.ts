/** How a text is taken out of a page. */
export type PageKind = "html" | "xml" | "text" | "pdf";

/** So many bytes tell of which kind a page is. */
export const KIND_BYTES = 8_192;

/**
 * What the type says it is; what a page without a type, or with a general one, looks like. `undefined`: no text.
 *
 * @param bytes The page, or its first {@link KIND_BYTES}.
 */
export function kindOf(type: string, bytes: Uint8Array): PageKind | undefined {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/pdf" || type === "application/x-pdf") return "pdf";
  const beginning = String.fromCharCode(...bytes.subarray(0, 1_000));
  if (/^\s{0,99}%PDF-/.test(beginning)) return "pdf";
  if (type.endsWith("/xml") || type.endsWith("+xml")) return "xml";
  const isText = type.startsWith("text/") || /(?:json|javascript|yaml|csv|toml|x-sh|sql|tex|rtf)$/.test(type);
  const isUnknown = type === "" || type === "application/octet-stream" || type === "binary/octet-stream";
  if (!isText && !isUnknown) return undefined;
  if (isBinary(bytes)) return undefined;
  if (isUnknown && /^\s{0,99}<(?:!doctype\s+html|html|head|body)[\s>]/i.test(beginning)) return "html";
  return isUnknown && /^\s{0,99}<\?xml\s/.test(beginning) ? "xml" : "text";
}

/** Text holds no zero bytes, but for UTF-16, which begins with a mark. */
function isBinary(bytes: Uint8Array): boolean {
  const isWide = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  return !isWide && bytes.subarray(0, KIND_BYTES).includes(0);
}
