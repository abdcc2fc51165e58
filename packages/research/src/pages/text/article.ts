import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { isHidden } from "./html-elements.js";
import type { SelectableElement } from "./selectors.js";
import type { StyleSheet } from "./style-sheet.js";

/** The part of a page that it is about, without what stands around it on every page of its site. */
export interface Article {
  /** The part, as HTML. */
  html: string;
  title?: string;
  author?: string;
  /** As the page writes it. */
  published?: string;
}

/** A larger page, or one of more elements, is shown whole. */
const MAX_CHARACTERS = 3_000_000;
const MAX_ELEMENTS = 100_000;
/** A shorter part is not what the page is about. */
const MIN_TEXT = 250;
const NO_STYLE = Object.freeze({});

type ParsedElement = NonNullable<ReturnType<ReturnType<typeof parseHTML>["document"]["querySelector"]>>;

/** What is found has no styles and classes any more that would say what is hidden. */
function removeHidden(document: ReturnType<typeof parseHTML>["document"], sheet: StyleSheet | undefined): void {
  for (const element of document.querySelectorAll(sheet === undefined ? "[style], [hidden], dialog" : "*")) {
    const selectable = toSelectable(element);
    const { name, attributes } = selectable;
    if (isHidden(name, attributes) || sheet?.hides(selectable, () => around(element))) element.remove();
  }
}

/** An element makes an object for its styles when it is asked for them: those without any share one. */
function shareNoStyle(document: ReturnType<typeof parseHTML>["document"]): void {
  for (const element of document.querySelectorAll(":not([style])")) {
    Object.defineProperty(element, "style", { value: NO_STYLE });
  }
}

function toSelectable({ localName, attributes }: ParsedElement): SelectableElement {
  return {
    name: localName,
    attributes: Object.fromEntries(Array.from(attributes, ({ name, value }) => [name, value])),
  };
}

function* around({ parentElement }: ParsedElement): Generator<SelectableElement> {
  for (let each = parentElement; each !== null; each = each.parentElement) yield toSelectable(each);
}

/** Finds the main part of a page; `undefined` when there is none, as on a list of links. */
export function findArticle(html: string, sheet?: StyleSheet): Article | undefined {
  if (html.length > MAX_CHARACTERS) return undefined;
  try {
    const { document } = parseHTML(html);
    removeHidden(document, sheet);
    shareNoStyle(document);
    const found = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
      maxElemsToParse: MAX_ELEMENTS,
    }).parse();
    const { content, textContent = "", title, byline, publishedTime } = found ?? {};
    if (content === null || content === undefined || (textContent ?? "").trim().length < MIN_TEXT) return undefined;
    return {
      html: content,
      ...(title && { title: title.trim() }),
      ...(byline && { author: byline.trim().slice(0, 300) }),
      ...(publishedTime && { published: publishedTime.trim().slice(0, 100) }),
    };
  } catch {
    // Too many elements, or markup that neither of the two libraries can take.
    return undefined;
  }
}
