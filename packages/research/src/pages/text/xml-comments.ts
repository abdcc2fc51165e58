const TOKEN = /<!--|-->|&lt;!--|--&gt;|<!\[CDATA\[|\]\]>|</g;

/**
 * XML without its comments, and without those of the HTML that a feed holds, escaped or as CDATA: no reader sees them. The
 * lines of the rest stay where they are.
 */
export function withoutComments(xml: string): string {
  const kept: string[] = [];
  let [from, inData] = [0, false];
  let open: { start: number; end: string; isEscaped: boolean } | undefined;
  const close = (at: number) => {
    kept.push("\n".repeat(xml.slice(open?.start, at).split("\n").length - 1));
    [from, open] = [at, undefined];
  };
  for (const { 0: token, index } of xml.matchAll(TOKEN)) {
    if (token === open?.end) close(index + token.length);
    // What is not closed ends with the text that holds it.
    else if (open?.isEscaped ? token.startsWith("<") : open !== undefined && inData && token === "]]>") close(index);
    if (open !== undefined) continue;
    if (token === "<![CDATA[") inData = true;
    else if (token === "]]>") inData = false;
    else if (token.endsWith("!--")) {
      kept.push(xml.slice(from, index));
      const isEscaped = token !== "<!--";
      open = { start: index, end: isEscaped ? "--&gt;" : "-->", isEscaped };
    }
  }
  return kept.join("") + (open === undefined ? xml.slice(from) : "");
}
