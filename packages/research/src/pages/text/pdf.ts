import { getDocumentProxy } from "unpdf";
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
    const pageStarts: number[] = [];
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && length < maxCharacters; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = textOf(items.filter((item): item is TextItem & typeof item => "str" in item));
      page.cleanup();
      pageStarts.push(length);
      pages.push(text);
      length += text.length + 2;
    }
    const info = (await pdf.getMetadata().catch(() => undefined))?.info as { Title?: unknown } | undefined;
    const title = typeof info?.Title === "string" ? info.Title.trim().slice(0, 500) : "";
    return { text: pages.join("\n\n"), pageStarts, ...(title !== "" && { title }) };
  } finally {
    await pdf.destroy();
  }
}

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
