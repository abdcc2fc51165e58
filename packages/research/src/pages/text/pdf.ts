import { getDocumentProxy } from "unpdf";
import { PART_BOUNDARY } from "../../quotes/part-boundary.js";
import { withoutRunningLines } from "./running-lines.js";
import { lowered, raised } from "./scripts.js";
import { withoutUnseen } from "./unseen.js";

/** The text of a PDF. */
export interface PdfText {
  text: string;
  /** Where each page begins in the text. */
  pageStarts: number[];
  title?: string;
}

/** Pages that are read at most. */
const MAX_PAGES = 1_000;

interface TextItem {
  str: string;
  hasEOL: boolean;
  height: number;
  /** The last two are the place on the page. */
  transform: number[];
}

/** Reads the text of a PDF page by page. Rejects when it is damaged or needs a password. */
export async function pdfToText(bytes: Uint8Array, maxCharacters: number): Promise<PdfText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
  try {
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && length < maxCharacters; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = textOf(items.filter((item): item is TextItem & typeof item => "str" in item));
      page.cleanup();
      pages.push(text);
      length += text.length + 2;
    }
    const info = (await pdf.getMetadata().catch(() => undefined))?.info as { Title?: unknown } | undefined;
    const title = typeof info?.Title === "string" ? info.Title.trim().slice(0, 500) : "";
    return { ...joined(pages), ...(title !== "" && { title }) };
  } finally {
    await pdf.destroy();
  }
}

/** A sentence that a page breaks off goes on in the next line; what stands on each page follows the whole. */
function joined(read: readonly string[]): Pick<PdfText, "text" | "pageStarts"> {
  const { pages, running } = withoutRunningLines(read);
  const pageStarts: number[] = [];
  let text = "";
  for (const page of pages) {
    if (text !== "") text += SENTENCE_END.test(text.slice(-3)) ? "\n\n" : "\n";
    pageStarts.push(text.length);
    text += page;
  }
  return { text: [text, ...running].join(`\n\n${PART_BOUNDARY}`), pageStarts };
}

const SENTENCE_END = /[.!?:。！？]["”’»）)]?$/u;

function textOf(items: readonly TextItem[]): string {
  const pieces: string[] = [];
  let line: TextItem | undefined;
  for (const item of items) {
    pieces.push(line === undefined ? item.str : placed(item, line));
    if (item.hasEOL) {
      pieces.push("\n");
      line = undefined;
    } else if (item.str.trim() !== "" && (line === undefined || item.height >= line.height)) line = item;
  }
  return withoutUnseen(pieces.join("")).trim();
}

/** What is smaller and higher or lower than its line is an exponent, a footnote mark or an index. */
function placed({ str, height, transform }: TextItem, line: TextItem): string {
  const above = (transform[5] ?? 0) - (line.transform[5] ?? 0);
  if (str.trim() === "" || height === 0 || height > line.height * 0.85) return str;
  if (above > line.height * 0.15) return raised(str, false);
  return above < -line.height * 0.08 ? lowered(str) : str;
}
