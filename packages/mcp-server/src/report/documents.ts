import { siteOf } from "../text/site.js";
import { codeLinesOf } from "./markdown-parser.js";

/**
 * Markdown that names a person's own documents instead of linking to them: elsewhere such a link leads nowhere, and a reader
 * needs no path of another machine.
 */
export function withNamedDocuments(text: string): string {
  if (!/\]\(<?file:/i.test(text)) return text;
  const code = codeLinesOf(text);
  return text
    .split("\n")
    .map((line, at) => (code.has(at) ? line : inLine(line)))
    .join("\n");
}

/** What stands between two backticks of a line is code, and stays. */
function inLine(line: string): string {
  return line
    .split("`")
    .map((part, at) => (at % 2 === 0 ? part.split("](").map(afterLabel).join("") : part))
    .join("`");
}

/** What follows the label of a link, up to the next one: an address, and text. */
function afterLabel(text: string, place: number): string {
  if (place === 0) return text;
  const end = text.indexOf(")");
  const address = text.slice(0, Math.max(end, 0)).replace(/^</, "").replace(/>$/, "");
  if (!/^file:\/\/\//i.test(address) || /[\s()<>]/.test(address)) return `](${text}`;
  return `] (\`${siteOf(address)}\`)${text.slice(end + 1)}`;
}
