import type { DocumentList } from "../page-reading.js";

/** What the runs of a research can read pages with. */
export interface ReadingTools {
  /** Whether the page tool is there, which gives a page's own text. */
  own: boolean;
  /** The tool that tells what a page says in the words of a model. Missing: there is none. */
  told?: string;
  /** Documents of the person's own that the page tool reads. */
  documents?: DocumentList;
  /** `false`: there is nothing but these documents. */
  web?: boolean;
}

const QUOTES = `While you read, copy for every statement that the answer rests on the one or two sentences of the page that say it, and give them as the \`quote\` of that source: word for word, in the page's language, at least 5 words, with the number, the unit, the date and the name in them. \`...\` may stand for words that you leave out; nothing else may change. A program looks for each quotation in the pages. Quote no search result, and nothing from memory.`;
const OWN =
  "Read pages with `read_page`: it gives a page's own text. Give `find`, the words that an answer would stand beside: you get the passages around them from the whole page, at a tenth of the room. Without it you get a page's beginning and its headings, with `offset` up to 15,000 characters from there on.";

/** The section of a prompt that says how pages are read. */
export function readingPrompt(tools: ReadingTools): string {
  const { documents } = tools;
  const section = ["## Reading\n", ...rules(tools).map((rule) => `- ${rule}`)];
  return [...section, ...(documents === undefined ? [] : documentsSection(documents))].join("\n");
}

function documentsSection({ count, folders, listed }: DocumentList): string[] {
  const more = count - listed.length;
  return [
    "\n## Documents of the person\n",
    `The person gave ${count === 1 ? "a document" : `${count} documents`} of their own. Look there first.\n`,
    "- Read one with `read_page` and its address. It counts as a page: cite it and quote from it by its address as it stands here.",
    `- To search all of them by words, give \`read_page\` the address of their folder with \`find\`: ${folders.join(" ")}`,
    ...listed.map(({ url, bytes }) => `- ${url} (${bytes} bytes)`),
    ...(more > 0
      ? [`- ${more} more, which a search finds; \`read_page\` of a folder without \`find\` names them.`]
      : []),
  ];
}

function rules({ own, told, web }: ReadingTools): string[] {
  if (web === false) {
    return [
      "The web is not used in this research: nothing searches or reads it. Where the steps below say to search or to fetch, search and read the documents of the person with `read_page`, as often as it takes. Leave `search_queries_used` empty.",
      QUOTES,
    ];
  }
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
