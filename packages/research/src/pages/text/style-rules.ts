/** The rules of a style sheet that hold on the screen of a desk, nested ones written out. */

/** A rule as it is written: its selectors, apart by commas, and its declarations. */
export interface StyleRule {
  selectors: string;
  declarations: string;
}

/** What is open: a rule, or a group of rules with a condition. */
interface Block {
  /** Of the rule, or of the one around a group; empty outside of all. */
  selectors: string;
  declarations: string;
  holds: boolean;
}

const TOKEN = /"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'|[{};]/g;
const MAX_DEPTH = 12;
/** Selectors of a nested rule, written out; of one with more nothing is read, nor of one in a longer one. */
const MAX_NESTED = 40;
const MAX_AROUND = 600;
const MAX_SIGNS = 10;
/** The screen that conditions are asked of, in pixels. */
const SCREEN_WIDTH = 1_280;
const PIXELS_PER_EM = 16;

/** Reads the rules of a style sheet without comments. Those under a condition that is not known are left out. */
export function* rulesIn(css: string): Generator<StyleRule> {
  const open: Block[] = [];
  let start = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (token !== "{" && token !== "}" && token !== ";") continue;
    const text = css.slice(start, index);
    start = index + 1;
    const block = open.at(-1);
    if (token === "{") open.push(blockOf(text.trim(), block, open.length));
    else if (block !== undefined) {
      block.declarations += `${text};`;
      if (token === "}") open.pop();
      if (token === "}" && block.holds && block.selectors !== "") yield block;
    }
  }
}

function blockOf(head: string, around: Block | undefined, depth: number): Block {
  const { selectors = "", holds = true } = around ?? {};
  const isGroup = head.startsWith("@");
  const own = isGroup ? selectors : nested(head, selectors);
  const isKnown = depth < MAX_DEPTH && (isGroup ? groupHolds(head) : own !== "");
  return { selectors: own, declarations: "", holds: holds && isKnown };
}

/** The selectors of a rule inside of another one. */
function nested(selectors: string, around: string): string {
  if (around === "") return selectors;
  if (around.length > MAX_AROUND || selectors.split("&", MAX_SIGNS + 2).length > MAX_SIGNS + 1) return "";
  const [own, outer] = [selectors.split(","), around.split(",")];
  if (own.length * outer.length > MAX_NESTED) return "";
  const within = (inner: string, parent: string) =>
    inner.includes("&") ? inner.replaceAll("&", parent.trim()) : `${parent.trim()} ${inner.trim()}`;
  return outer.flatMap((parent) => own.map((inner) => within(inner, parent))).join(",");
}

function groupHolds(head: string): boolean {
  if (/^@layer\b/i.test(head)) return true;
  if (/^@supports\b/i.test(head)) return !/\bnot\b/i.test(head);
  const queries = /^@media\s*(?=[\s(])([\s\S]{0,500})$/i.exec(head)?.[1];
  return queries?.split(",").some((query) => queryHolds(query.trim().toLowerCase())) ?? false;
}

/** Conditions on the width alone; what others say is not known. */
function queryHolds(query: string): boolean {
  const conditions = query.split(/\sand\s/).map((condition) => condition.replace(/^only\s/, "").trim());
  return conditions.every((condition) => condition === "screen" || condition === "all" || widthHolds(condition));
}

/** `(min-width: 40em)` and `(width < 600px)`. */
const EDGE = /^\(\s?(min|max)-width\s?:\s?(\d{1,5}(?:\.\d{1,4})?)(px|r?em)\s?\)$/;
const COMPARED = /^\(\s?width\s?([<>])=?\s?(\d{1,5}(?:\.\d{1,4})?)(px|r?em)\s?\)$/;

function widthHolds(condition: string): boolean {
  const [, side = "", length = "", unit] = EDGE.exec(condition) ?? COMPARED.exec(condition) ?? [];
  const pixels = Number(length) * (unit === "px" ? 1 : PIXELS_PER_EM);
  if (side === "min" || side === ">") return SCREEN_WIDTH >= pixels;
  return side !== "" && SCREEN_WIDTH <= pixels;
}
