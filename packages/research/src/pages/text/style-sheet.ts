/** What the style sheets inside of a page hide, by selectors of one element alone: what others hide is taken for seen. */

type Attributes = Readonly<Record<string, string>>;

interface Rule {
  names: readonly string[];
  property: "display" | "visibility";
  hides: boolean;
  /** Of two rules the larger one counts, then the later one. */
  weight: number;
}

const MAX_SHEETS_LENGTH = 500_000;
const MAX_RULES = 5_000;
/** Rules that may hold for one element: of more nothing is told. */
const MAX_FOR_ONE = 50;
const MAX_CLASSES = 50;
/** Elements with their content, and comments, that may hold what looks like a sheet; and the sheets. */
const SKIPPED = /<!--|<(script|noscript|template|svg|textarea|title|style)(?=[\s>/])/gi;
const END = /<\/(script|noscript|template|svg|textarea|title|style)/gi;
const PRINTED = /\smedia\s?=\s?["']?(?!all|screen|["'\s>])/i;
/** `p`, `.a`, `#b`, `p.a.c` */
const SIMPLE = /^([a-z][a-z\d]{0,20})?((?:[.#][-\w\u0080-\uffff]{1,100}){0,5})$/i;
const NAME = /[.#][-\w\u0080-\uffff]{1,100}/g;
const DECLARATION = /^(display|visibility)\s{0,9}:\s{0,9}([a-z]{1,20})(?:\s{0,9}(!\s?important))?$/i;
const HIDING = new Set(["none", "hidden", "collapse"]);
/** Sites hide the whole of a page until its scripts have run. */
const WHOLE = new Set(["html", "body", "main"]);
const IMPORTANT = 1_000_000;

/** The rules of a page's own style sheets that hide elements. */
export class StyleSheet {
  /** By the last name that each asks for. */
  readonly #rules = new Map<string, Rule[]>();
  /** Those of the names with a rule that hides. */
  readonly #hidden = new Set<string>();

  /** @param rules In their order. */
  constructor(rules: readonly Rule[]) {
    for (const rule of heaviestOf(rules)) {
      const key = rule.names.at(-1) as string;
      const others = this.#rules.get(key);
      if (others === undefined) this.#rules.set(key, [rule]);
      else others.push(rule);
    }
    for (const [key, same] of this.#rules) {
      if (same.length > MAX_FOR_ONE) this.#rules.delete(key);
      else if (same.some(({ hides }) => hides)) this.#hidden.add(key);
    }
  }

  /** Whether an element is hidden by these rules. */
  hides(element: string, { class: classes = "", id = "", style = "" }: Attributes): boolean {
    const all = [element, ...classes.split(/\s+/, MAX_CLASSES).map((name) => `.${name}`), `#${id}`];
    if (!all.some((name) => this.#hidden.has(name))) return false;
    const own = new Set(all);
    const matching = all
      .flatMap((name) => this.#rules.get(name) ?? [])
      .filter(({ names }) => names.every((name) => own.has(name)));
    return (["display", "visibility"] as const).some((property) => {
      const winner = matching.filter((rule) => rule.property === property).reduce<Rule | undefined>(heavier, undefined);
      return winner?.hides === true && (winner.weight >= IMPORTANT || !style.toLowerCase().includes(property));
    });
  }
}

/** Of rules for the same elements the one that counts. */
function heaviestOf(rules: readonly Rule[]): Iterable<Rule> {
  const heaviest = new Map<string, Rule>();
  for (const rule of rules) {
    const key = `${rule.property} ${rule.names.join(" ")}`;
    heaviest.set(key, heavier(heaviest.get(key), rule));
  }
  return heaviest.values();
}

function heavier(best: Rule | undefined, rule: Rule): Rule {
  return best === undefined || rule.weight >= best.weight ? rule : best;
}

/** Reads the style sheets of a page; `undefined` when they hide nothing. */
export function styleSheetOf(html: string): StyleSheet | undefined {
  const rules: Rule[] = [];
  /** What a selector that is not understood may show. */
  const shown = new Set<string>();
  for (const css of sheetsIn(html)) readRules(withoutComments(css), rules, shown);
  const sure = rules.filter(({ hides, names }) => !hides || !names.some((name) => shown.has(name)));
  return sure.some(({ hides }) => hides) ? new StyleSheet(sure) : undefined;
}

function* sheetsIn(html: string): Generator<string> {
  let left = MAX_SHEETS_LENGTH;
  SKIPPED.lastIndex = 0;
  for (let found = SKIPPED.exec(html); found !== null && left > 0; found = SKIPPED.exec(html)) {
    const name = found[1]?.toLowerCase();
    const from = name === undefined ? SKIPPED.lastIndex : html.indexOf(">", SKIPPED.lastIndex) + 1;
    const end = from === 0 ? -1 : endOf(html, name, from);
    if (end === -1) return;
    if (name === "style" && !PRINTED.test(html.slice(found.index, from).slice(0, 1_000))) {
      const css = html.slice(from, end).slice(0, left);
      left -= css.length;
      yield css;
    }
    SKIPPED.lastIndex = end;
  }
}

function endOf(html: string, name: string | undefined, from: number): number {
  if (name === undefined) return html.indexOf("-->", from);
  END.lastIndex = from;
  for (let found = END.exec(html); found !== null; found = END.exec(html)) {
    if (found[1]?.toLowerCase() === name) return found.index;
  }
  return -1;
}

function withoutComments(css: string): string {
  return css
    .split("/*")
    .map((part, at) => (at === 0 ? part : part.includes("*/") ? part.slice(part.indexOf("*/") + 2) : ""))
    .join(" ");
}

const TOKEN = /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|[{};]/g;

/** Reads the rules that hold for every screen; those inside of conditions are not read. */
function readRules(css: string, rules: Rule[], shown: Set<string>): void {
  /** Where what is read now began, and what was open around it. */
  let start = 0;
  let selector = "";
  let depth = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (rules.length >= MAX_RULES) return;
    if (token === "{") {
      if (depth++ === 0) [selector, start] = [css.slice(start, index).trim(), index + 1];
      if (depth === 1 && /^@media\s+(?:screen|all)$/i.test(selector)) depth = 0;
    } else if (token === "}") {
      if (depth === 1) addRule(selector, css.slice(start, index), rules, shown);
      depth = Math.max(0, depth - 1);
      if (depth === 0) start = index + 1;
    } else if (token === ";" && depth === 0) start = index + 1;
  }
}

function addRule(selectors: string, declarations: string, rules: Rule[], shown: Set<string>): void {
  if (selectors.startsWith("@") || !/display|visibility/i.test(declarations)) return;
  for (const declaration of declarations.split(";")) {
    const [, property = "", value = "", important] = DECLARATION.exec(declaration.trim().slice(0, 60)) ?? [];
    if (property === "") continue;
    const hides = HIDING.has(value.toLowerCase());
    for (const selector of selectors.split(",")) {
      const names = namesOf(selector.trim());
      if (names === undefined) {
        if (!hides) for (const name of lastNames(selector)) shown.add(name);
      } else if (!names.some((name) => WHOLE.has(name))) {
        const weight = weightOf(names) + (important === undefined ? 0 : IMPORTANT);
        rules.push({ names, property: property.toLowerCase() as Rule["property"], hides, weight });
      }
    }
  }
}

/** The names that an element must have, its own first; `undefined` for a selector of several elements, or of states. */
function namesOf(selector: string): string[] | undefined {
  const [, element = "", rest = ""] = SIMPLE.exec(selector) ?? [];
  const names = [...(element === "" ? [] : [element.toLowerCase()]), ...(rest.match(NAME) ?? [])];
  return names.length === 0 ? undefined : names;
}

/** The names in the part of a selector that says which element is meant. */
function lastNames(selector: string): string[] {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? "";
  const element = /^[a-z][a-z\d]{0,20}/i.exec(last)?.[0];
  return [...(element === undefined ? [] : [element.toLowerCase()]), ...(last.match(NAME) ?? [])];
}

function weightOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (name.startsWith("#") ? 10_000 : name.startsWith(".") ? 100 : 1), 0);
}
