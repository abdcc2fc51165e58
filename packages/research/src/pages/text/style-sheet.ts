import { isWithin, lastNames, namesOf, readSelector, type SelectableElement, type Selector } from "./selectors.js";
import { type Effect, effectsOf, FAINT, withoutComments } from "./style-effects.js";
import { rulesIn } from "./style-rules.js";

/** What the style sheets inside of a page hide, by names, classes, ids and attributes: what other selectors hide is taken for seen. */

interface Rule extends Selector {
  property: Effect;
  hides: boolean;
  /** Of two rules the larger one counts, then the later one. */
  weight: number;
}

const MAX_SHEETS_LENGTH = 500_000;
const MAX_RULES = 20_000;
/** Rules that may hold for one element: of more nothing is told. */
const MAX_FOR_ONE = 50;
/** Elements with their content, and comments, that may hold what looks like a sheet; and the sheets. */
const SKIPPED = /<!--|<(script|noscript|template|svg|textarea|title|style)(?=[\s>/])/gi;
const END = /<\/(script|noscript|template|svg|textarea|title|style)/gi;
const PRINTED = /\smedia\s?=\s?["']?(?!all|screen|["'\s>])/i;
/** Names of what may hide a text. */
const MAY_HIDE = /display|visibility|opacity|font-size|clip|indent|position|margin|overflow|colou?r/i;
/** A page without one of these in its elements' own styles hides nothing by them. */
const FAINT_STYLE = /opacity|font-size|clip|indent|-\d{3}|overflow|color/i;
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

  /** Whether an element is hidden by these rules, or faint by its own style. `around`: those around it, the nearest first. */
  hides(element: SelectableElement, around: () => Iterable<SelectableElement>): boolean {
    const { style = "" } = element.attributes;
    const own = style === "" ? [] : effectsOf(style);
    if (own.some(({ property, hides }) => hides && FAINT.has(property))) return true;
    if (this.#hidden.size === 0) return false;
    const named = namesOf(element);
    const all = [...named];
    if (!all.some((name) => this.#hidden.has(name))) return false;
    const matching = all
      .flatMap((name) => this.#rules.get(name) ?? [])
      .filter((rule) => rule.names.every((name) => named.has(name)) && isWithin(rule, around()));
    return [...new Set(matching.map(({ property }) => property))].some((property) => {
      const winner = matching.filter((rule) => rule.property === property).reduce<Rule | undefined>(heavier, undefined);
      const isOwn = own.some((effect) => effect.property === property);
      return winner?.hides === true && (winner.weight >= IMPORTANT || !isOwn);
    });
  }
}

/** Of rules for the same elements the one that counts. */
function heaviestOf(rules: readonly Rule[]): Iterable<Rule> {
  const heaviest = new Map<string, Rule>();
  for (const rule of rules) {
    const around = rule.around.map(({ names, isParent }) => `${isParent ? ">" : " "}${names.join("")}`);
    const key = `${rule.property} ${rule.names.join("")}${around.join("")}`;
    heaviest.set(key, heavier(heaviest.get(key), rule));
  }
  return heaviest.values();
}

function heavier(best: Rule | undefined, rule: Rule): Rule {
  return best === undefined || rule.weight >= best.weight ? rule : best;
}

/** Reads the style sheets of a page; `undefined` when nothing is hidden by them, nor faint by an element's own style. */
export function styleSheetOf(html: string): StyleSheet | undefined {
  const rules: Rule[] = [];
  /** What a selector that is not understood may show. */
  const shown = new Set<string>();
  for (const css of sheetsIn(html)) {
    for (const { selectors, declarations } of rulesIn(withoutComments(css))) {
      if (rules.length >= MAX_RULES) break;
      addRule(selectors, declarations, rules, shown);
    }
  }
  const hiding = new Set(rules.flatMap(({ hides, property }) => (hides ? [property] : [])));
  const sure = rules.filter(({ hides, names, property }) =>
    hides ? !names.some((name) => shown.has(`${property} ${name}`)) : hiding.has(property),
  );
  const isFaint = html.includes("style") && FAINT_STYLE.test(html);
  return isFaint || sure.some(({ hides }) => hides) ? new StyleSheet(sure) : undefined;
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

function addRule(selectors: string, declarations: string, rules: Rule[], shown: Set<string>): void {
  if (!MAY_HIDE.test(declarations)) return;
  for (const { property, hides, isImportant } of effectsOf(declarations)) {
    for (const selector of selectors.split(",")) {
      const read = readSelector(selector);
      if (read === undefined) {
        if (!hides) for (const name of lastNames(selector)) shown.add(`${property} ${name}`);
      } else if (!read.names.some((name) => WHOLE.has(name))) {
        rules.push({ ...read, property, hides, weight: read.weight + (isImportant ? IMPORTANT : 0) });
      }
    }
  }
}
