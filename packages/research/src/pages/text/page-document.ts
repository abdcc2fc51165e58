import { ShallowParser } from "./shallow-parser.js";

/** A page as a tree: as much of the DOM as Readability asks for. */

const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;
/** Characters of an attribute that Readability is told; its patterns may take the square of them. */
const MAX_VALUE = 2_000;
const BLANKS = /\s{2,}/g;
const NO_NODES: readonly PageNode[] = Object.freeze([]);
/** What a style hides is taken out before anybody asks for one. */
const NO_STYLE = Object.freeze({});

export type PageTree = PageDocument | PageElement;
export type PageNode = PageElement | PageText;

interface Attribute {
  name: string;
  value: string;
}

interface CopyableAttribute extends Attribute {
  cloneNode(): Attribute;
}

/** What stands among others. */
abstract class ChildNode {
  parentNode: ParentNode | null = null;
  previousSibling: PageNode | null = null;
  nextSibling: PageNode | null = null;

  get previousElementSibling(): PageElement | null {
    let node = this.previousSibling;
    while (node !== null && !isElement(node)) node = node.previousSibling;
    return node;
  }

  get nextElementSibling(): PageElement | null {
    let node = this.nextSibling;
    while (node !== null && !isElement(node)) node = node.nextSibling;
    return node;
  }
}

/** A text or a comment. */
export class PageText extends ChildNode {
  readonly nodeType: typeof TEXT | typeof COMMENT;
  readonly textContent: string;

  constructor(nodeType: typeof TEXT | typeof COMMENT, textContent: string) {
    super();
    this.nodeType = nodeType;
    this.textContent = textContent;
  }

  get childNodes(): readonly PageNode[] {
    return NO_NODES;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  copy(): PageText {
    return new PageText(this.nodeType, this.textContent);
  }
}

/** What holds others. */
abstract class ParentNode extends ChildNode {
  firstChild: PageNode | null = null;
  lastChild: PageNode | null = null;
  #text: string | undefined;
  #shownText: string | undefined;
  #children: readonly PageElement[] | undefined;

  get childNodes(): readonly PageNode[] {
    const nodes: PageNode[] = [];
    for (let node = this.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
    return nodes;
  }

  /** Kept until there are others: each step of a loop over them asks for all. */
  get children(): readonly PageElement[] {
    this.#children ??= this.childNodes.filter(isElement);
    return this.#children;
  }

  get firstElementChild(): PageElement | null {
    const first = this.firstChild;
    return first === null || isElement(first) ? first : first.nextElementSibling;
  }

  /** Kept until something in it changes: it is asked for of every element, again and again. */
  get textContent(): string {
    if (this.#text === undefined) {
      this.#text = "";
      for (let node = this.firstChild; node !== null; node = node.nextSibling) {
        if (node.nodeType !== COMMENT) this.#text += node.textContent;
      }
    }
    return this.#text;
  }

  /** The text with its blanks joined; kept as long. */
  get shownText(): string {
    this.#shownText ??= this.textContent.trim().replace(BLANKS, " ");
    return this.#shownText;
  }

  #changes(): void {
    this.#children = undefined;
    // Where a text is not known, none around it is.
    for (let node: ParentNode | null = this; node !== null && node.#text !== undefined; node = node.parentNode) {
      node.#text = node.#shownText = undefined;
    }
  }

  appendChild(node: PageNode): void {
    this.insertBefore(node, null);
  }

  insertBefore(node: PageNode, next: PageNode | null): void {
    node.remove();
    this.#changes();
    const previous = next === null ? this.lastChild : next.previousSibling;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = next;
    if (previous === null) this.firstChild = node;
    else previous.nextSibling = node;
    if (next === null) this.lastChild = node;
    else next.previousSibling = node;
  }

  replaceChild(node: PageNode, replaced: PageNode): void {
    const next = replaced.nextSibling;
    this.removeChild(replaced);
    this.insertBefore(node, next);
  }

  removeChild(node: PageNode): void {
    this.#changes();
    const { previousSibling: previous, nextSibling: next } = node;
    if (previous === null) this.firstChild = next;
    else previous.nextSibling = next;
    if (next === null) this.lastChild = previous;
    else next.previousSibling = previous;
    node.parentNode = node.previousSibling = node.nextSibling = null;
  }

  /** @param selectors Names of elements, apart by commas. */
  querySelectorAll(selectors: string): PageElement[] {
    const found: PageElement[] = [];
    collect(this, namesIn(selectors), found);
    return found;
  }

  getElementsByTagName(name: string): PageElement[] {
    return this.querySelectorAll(name);
  }
}

export class PageElement extends ParentNode {
  readonly nodeType = ELEMENT;
  readonly ownerDocument: PageDocument;
  readonly localName: string;
  readonly tagName: string;
  /** Its attributes, by their names. */
  readonly values: Record<string, string>;
  /** Notes of Readability, here from the beginning: objects that are alike are faster. */
  readability: unknown = undefined;
  _readabilityDataTable: unknown = undefined;
  #attributes: readonly CopyableAttribute[] | undefined;

  constructor(ownerDocument: PageDocument, localName: string, values: Record<string, string>) {
    super();
    this.ownerDocument = ownerDocument;
    this.localName = localName;
    this.tagName = localName.toUpperCase();
    this.values = values;
  }

  get nodeName(): string {
    return this.tagName;
  }

  get id(): string {
    return this.values["id"] ?? "";
  }

  set id(value: string) {
    this.setAttribute("id", value);
  }

  get className(): string {
    return this.values["class"] ?? "";
  }

  set className(value: string) {
    this.setAttribute("class", value);
  }

  get src(): string {
    return this.values["src"] ?? "";
  }

  get srcset(): string {
    return this.values["srcset"] ?? "";
  }

  get style(): object {
    return NO_STYLE;
  }

  /** Kept until one of them changes: each step of a loop over them asks for all. */
  get attributes(): readonly CopyableAttribute[] {
    this.#attributes ??= Object.entries(this.values).map(([name, value]) => ({
      name,
      value: value.length > MAX_VALUE ? "" : value,
      cloneNode: () => ({ name, value }),
    }));
    return this.#attributes;
  }

  getAttribute(name: string): string | null {
    const value = this.values[name];
    return value === undefined || value.length > MAX_VALUE ? null : value;
  }

  hasAttribute(name: string): boolean {
    return this.values[name] !== undefined;
  }

  setAttribute(name: string, value: string): void {
    this.values[name] = value;
    this.#attributes = undefined;
  }

  setAttributeNode({ name, value }: Attribute): void {
    this.setAttribute(name, value);
  }

  removeAttribute(name: string): void {
    if (!this.hasAttribute(name)) return;
    delete this.values[name];
    this.#attributes = undefined;
  }

  /** A copy of what it holds instead of its HTML: who asks for it sets it again, here or elsewhere. */
  get innerHTML(): readonly PageNode[] {
    return this.childNodes.map((node) => node.copy());
  }

  set innerHTML(nodes: readonly PageNode[]) {
    for (const node of this.childNodes) node.remove();
    for (const node of nodes) this.appendChild(node.copy());
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  copy(): PageElement {
    const copy = new PageElement(this.ownerDocument, this.localName, { ...this.values });
    for (let node = this.firstChild; node !== null; node = node.nextSibling) copy.appendChild(node.copy());
    return copy;
  }
}

export class PageDocument extends ParentNode {
  readonly nodeType = 9;

  constructor(html: string) {
    super();
    let parent: ParentNode = this;
    let depth = 0;
    const parser = new ShallowParser(
      {
        onopentag: (name, values) => {
          depth++;
          const element = new PageElement(this, name, values);
          parent.appendChild(element);
          parent = element;
        },
        onclosetag: () => {
          depth--;
          parent = parent.parentNode as ParentNode;
        },
        ontext: (text) => parent.appendChild(new PageText(TEXT, text)),
        oncomment: (text) => parent.appendChild(new PageText(COMMENT, text)),
      },
      () => depth,
    );
    parser.end(html);
  }

  get documentElement(): PageElement | null {
    return this.firstElementChild;
  }

  /** An empty one where the page does not say that it begins. */
  get body(): PageElement {
    const head = this.#head;
    const next = head.nextElementSibling;
    return next?.localName === "body" ? next : this.#inserted("body", head.parentNode as ParentNode, head.nextSibling);
  }

  get #head(): PageElement {
    const html = this.documentElement as PageElement;
    const first = html.firstElementChild;
    return first?.localName === "head" ? first : this.#inserted("head", html, html.firstChild);
  }

  #inserted(name: string, parent: ParentNode, next: PageNode | null): PageElement {
    const element = this.createElement(name);
    parent.insertBefore(element, next);
    return element;
  }

  get title(): string {
    return this.#head.getElementsByTagName("title")[0]?.textContent ?? "";
  }

  get baseURI(): string | null {
    return this.getElementsByTagName("base")[0]?.getAttribute("href") ?? null;
  }

  createElement(name: string): PageElement {
    return new PageElement(this, name.toLowerCase(), {});
  }

  createTextNode(text: string): PageText {
    return new PageText(TEXT, text);
  }
}

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === ELEMENT;
}

export function isText(node: PageNode): node is PageText {
  return node.nodeType === TEXT;
}

function collect(parent: ParentNode, names: ReadonlySet<string>, found: PageElement[]): void {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    if (!isElement(node)) continue;
    if (names.has(node.localName)) found.push(node);
    if (node.firstChild !== null) collect(node, names, found);
  }
}

/** Readability has some forty selectors, and asks with one of them for each paragraph. */
const NAMES = new Map<string, ReadonlySet<string>>();

function namesIn(selectors: string): ReadonlySet<string> {
  let names = NAMES.get(selectors);
  if (names === undefined) {
    names = new Set(selectors.toLowerCase().split(","));
    NAMES.set(selectors, names);
  }
  return names;
}
