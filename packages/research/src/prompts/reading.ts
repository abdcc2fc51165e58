/** What the runs of a research can read pages with. */
export interface ReadingTools {
  /** Whether the page tool is there, which gives a page's own text. */
  own: boolean;
  /** The tool that tells what a page says in the words of a model. Missing: there is none. */
  told?: string;
}

const QUOTES = `While you read, copy for every statement that the answer rests on the one or two sentences of the page that say it, and give them as the \`quote\` of that source: word for word, in the page's language, at least 5 words, with the number, the unit, the date and the name in them. \`...\` may stand for words that you leave out; nothing else may change. A program looks for each quotation in the pages. Quote no search result, and nothing from memory.`;
const OWN =
  "Read pages with `read_page`: it gives a page's own text. For a long page give `find`, the words to look for.";

/** The section of a prompt that says how pages are read. */
export function readingPrompt(tools: ReadingTools): string {
  return ["## Reading\n", ...rules(tools).map((rule) => `- ${rule}`)].join("\n");
}

function rules({ own, told }: ReadingTools): string[] {
  if (own && told !== undefined) {
    return [
      `${OWN} Read with \`${told}\` only what \`read_page\` cannot read.`,
      `${QUOTES} Leave \`quote\` out for what \`${told}\` or a search told you.`,
    ];
  }
  if (own) return [`${OWN} Nothing else reads pages.`, QUOTES];
  if (told !== undefined) {
    return [`Read pages with \`${told}\`. It gives no text of a page that could be quoted: leave \`quote\` out.`];
  }
  return ["No tool reads pages here: rest on what the searches tell you, and leave `quote` out."];
}
