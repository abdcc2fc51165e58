/** Selectors of CSS: names, classes, ids and attributes of an element, and of those around it. */

type Attributes = Readonly<Record<string, string>>;

/** An element, as selectors see it. */
export interface SelectableElement {
  name: string;
  attributes: Attributes;
}

/** What an element must have: `p`, `.a`, `#b`, `[c]`, `[c="d"]`. */
export type Compound = readonly string[];

export interface Selector {
  /** Of the element itself; its own name first. */
  names: Compound;
  /** Of elements around it, the nearest first. */
  around: readonly { names: Compound; isParent: boolean }[];
  weight: number;
}

const MAX_CLASSES = 50;
const MAX_ATTRIBUTES = 30;
/** Elements around one that are looked at. */
const MAX_AROUND = 60;
const MAX_COMPOUNDS = 6;
const MAX_LENGTH = 300;
const NAME = /[.#][-\w\u0080-\uffff]{1,100}|\[[-\w]{1,50}(?:=["']?[-\w\u0080-\uffff]{0,100}["']?)?\]/g;
const COMPOUND =
  /^(?:\*|[a-z][a-z\d]{0,20})?(?:[.#][-\w\u0080-\uffff]{1,100}|\[[-\w]{1,50}(?:=["']?[-\w\u0080-\uffff]{0,100}["']?)?\]){0,5}$/i;
const ELEMENT = /^[a-z][a-z\d]{0,20}/i;

/** Reads one selector; `undefined` for one of states, of neighbours, or with no name for the element. */
export function readSelector(selector: string): Selector | undefined {
  if (selector.length > MAX_LENGTH) return undefined;
  const tokens = selector.replaceAll(">", " > ").trim().split(/\s+/);
  const compounds: { names: Compound; isParent: boolean }[] = [];
  let isParent = false;
  for (const token of tokens.reverse()) {
    if (token === ">") isParent = true;
    else {
      if (token === "" || !COMPOUND.test(token)) return undefined;
      compounds.push({ names: namesIn(token), isParent });
      isParent = false;
    }
  }
  const [own, ...around] = compounds;
  if (own === undefined || own.names.length === 0 || compounds.length > MAX_COMPOUNDS) return undefined;
  const weight = compounds.flatMap(({ names }) => names).reduce((sum, name) => sum + weightOf(name), 0);
  return { names: own.names, around, weight };
}

function namesIn(compound: string): Compound {
  const element = ELEMENT.exec(compound)?.[0];
  const names = (compound.match(NAME) ?? []).map((name) => name.replaceAll(/["']/g, ""));
  return [...(element === undefined ? [] : [element.toLowerCase()]), ...names];
}

function weightOf(name: string): number {
  if (name.startsWith("#")) return 10_000;
  return /^[.[]/.test(name) ? 100 : 1;
}

/** The names in the part of a selector that says which element is meant, also of one that is not understood. */
export function lastNames(selector: string): Compound {
  return namesIn(
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? "",
  );
}

/** Everything that a compound may ask for and the element has. */
export function namesOf({ name, attributes }: SelectableElement): Set<string> {
  const { class: classes = "", id = "" } = attributes;
  const own = new Set([name, ...classes.split(/\s+/, MAX_CLASSES).map((each) => `.${each}`), `#${id}`]);
  for (const [key, value] of Object.entries(attributes).slice(0, MAX_ATTRIBUTES)) {
    own.add(`[${key}]`);
    if (value.length <= 100) own.add(`[${key}=${value}]`);
  }
  return own;
}

/** Whether the elements around one are those that a selector asks for; `around` gives them, the nearest first. */
export function isWithin({ around: wanted }: Selector, around: Iterable<SelectableElement>): boolean {
  if (wanted.length === 0) return true;
  let [next, seen] = [0, 0];
  for (const element of around) {
    const { names, isParent } = wanted[next] as Selector["around"][number];
    const own = namesOf(element);
    if (names.every((name) => own.has(name))) next++;
    else if (isParent) return false;
    if (next === wanted.length) return true;
    if (++seen === MAX_AROUND) return false;
  }
  return false;
}

/** The elements around the last one, the nearest first. */
export function* aroundLast(open: readonly SelectableElement[]): Generator<SelectableElement> {
  for (let at = open.length - 2; at >= 0; at--) yield open[at] as SelectableElement;
}
