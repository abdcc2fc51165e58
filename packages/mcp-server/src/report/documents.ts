import { siteOf } from "../text/site.js";
import { leavesOf } from "./markdown-parser.js";

/** Code within a line, or the address of a link that leads to a file of this machine. */
const CODE_OR_FILE = /`[^`\n]*`|\]\(<?(file:\/\/\/[^\s()<>"]*)>?(?:[ \t]+"[^"\n]*")?\)/gi;

/**
 * Markdown that names a person's own documents instead of linking to them: elsewhere such a link leads nowhere, and a reader
 * needs no path of another machine.
 */
export function withNamedDocuments(text: string): string {
  if (!/\]\(<?file:/i.test(text)) return text;
  const lines = text.split("\n");
  for (const { type, from, to } of leavesOf(text)) {
    if (type === "code") continue;
    const changed = lines.slice(from, to).join("\n").replace(CODE_OR_FILE, named).split("\n");
    lines.splice(from, to - from, ...changed);
  }
  return lines.join("\n");
}

function named(whole: string, url?: string): string {
  return url === undefined ? whole : `] (\`${siteOf(url).replaceAll("`", "'")}\`)`;
}
