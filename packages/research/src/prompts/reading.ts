/** What the runs of a research can read pages with: the page tool, Gemini CLI's `web_fetch`, or both. */
export type ReadingTools = "own" | "google" | "both";

const QUOTES = `While you read, copy for every statement that the answer rests on the one or two sentences of the page that say it, and give them as the \`quote\` of that source: word for word, in the page's language, at least 5 words, with the number, the unit, the date and the name in them. \`...\` may stand for words that you leave out; nothing else may change. A program looks for each quotation in the pages. Quote no search result, and nothing from memory.`;

const TEXTS: Readonly<Record<ReadingTools, string>> = {
  both: `## Reading

- Read pages with \`read_page\`: it gives a page's own text. For a long page give \`find\`, the words to look for. Read with \`web_fetch\` only what \`read_page\` cannot read.
- ${QUOTES} Leave \`quote\` out for what \`web_fetch\` or a search told you.`,
  own: `## Reading

- Read pages with \`read_page\`: it gives a page's own text. For a long page give \`find\`, the words to look for. \`web_fetch\` is not there.
- ${QUOTES}`,
  google: `## Reading

- Read pages with \`web_fetch\`. It gives no text of a page that could be quoted: leave \`quote\` out.`,
};

/** The section of a prompt that says how pages are read. */
export function readingPrompt(tools: ReadingTools): string {
  return TEXTS[tools];
}
