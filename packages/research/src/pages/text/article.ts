import { Readability } from "@mozilla/readability";
import { isHidden } from "./html-elements.js";
import { type PageDocument, PageElement } from "./page-document.js";
import type { SelectableElement } from "./selectors.js";
import type { StyleSheet } from "./style-sheet.js";

/** The part of a page that it is about, without what stands around it on every page of its site. */
export interface Article {
  content: PageElement;
  title?: string;
  author?: string;
  /** As the page writes it. */
  published?: string;
}

/** A shorter part is not what the page is about. */
const MIN_TEXT = 250;

/** Characters of a title that headings are compared with. */
const MAX_TITLE = 500;

/** As much of Readability as is asked for and replaced here. */
interface Insides {
  parse():
    | ({ [name in "title" | "byline" | "publishedTime" | "textContent"]?: string | null } & {
        content?: PageElement | null;
      })
    | null;
  _getInnerText(element: PageElement, joinsBlanks?: boolean): string;
  _textSimilarity(title: string, text: string): number;
}

const Original = Readability as unknown as new (
  document: PageDocument,
  options: { keepClasses: boolean; serializer: (content: PageElement) => PageElement },
) => Insides;

/** Without these two a page can be made to take minutes; were they named otherwise, only that would come back. */
class BoundedReadability extends Original {
  /** Asked for of all elements in each other, for each of them. */
  override _getInnerText(element: PageElement, joinsBlanks = true): string {
    return joinsBlanks ? element.shownText : element.textContent.trim();
  }

  /** Asked for with each heading, and takes each word with each. */
  override _textSimilarity(title: string, text: string): number {
    return super._textSimilarity(title.slice(0, MAX_TITLE), text);
  }
}

/** What is found has no styles any more that would say what is hidden. */
function removeHidden(parent: PageDocument | PageElement, sheet: StyleSheet | undefined): void {
  for (const element of parent.children) {
    const { localName, values } = element;
    if (isHidden(localName, values) || sheet?.hides(toSelectable(element), () => around(element))) element.remove();
    else removeHidden(element, sheet);
  }
}

function toSelectable({ localName, values }: PageElement): SelectableElement {
  return { name: localName, attributes: values };
}

function* around({ parentNode }: PageElement): Generator<SelectableElement> {
  for (let each = parentNode; each instanceof PageElement; each = each.parentNode) yield toSelectable(each);
}

/**
 * Finds the main part of a page; `undefined` when there is none, as on a list of links. Of the document nothing is left that
 * could be read.
 */
export function takeArticle(document: PageDocument, sheet?: StyleSheet): Article | undefined {
  try {
    removeHidden(document, sheet);
    const found = new BoundedReadability(document, {
      keepClasses: true,
      serializer: (content) => content,
    }).parse();
    const { content, textContent, title, byline, publishedTime } = found ?? {};
    if (!content || (textContent ?? "").trim().length < MIN_TEXT) return undefined;
    return {
      content,
      ...(title && { title: title.trim() }),
      ...(byline && { author: byline.trim().slice(0, 300) }),
      ...(publishedTime && { published: publishedTime.trim().slice(0, 100) }),
    };
  } catch {
    // Markup that it cannot take.
    return undefined;
  }
}
