/** Rules of one `robots.txt` (RFC 9309). */

interface Rule {
  allows: boolean;
  /** The parts between `*`. */
  parts: readonly string[];
  /** The path ends where the rule does. */
  isWhole: boolean;
  length: number;
}

const MAX_LINES = 10_000;
const MAX_PATTERN = 1_000;

/** What a `robots.txt` lets one program read. */
export class Robots {
  readonly #rules: readonly Rule[];

  /** @param product Name of the program, as the rules call it: the first word of its user agent. */
  constructor(text: string, product: string) {
    this.#rules = rulesFor(text, product.toLowerCase());
  }

  /** Whether a path may be read, its query included. The longest rule that fits says so; of two the one that allows. */
  allows(path: string): boolean {
    let best: Rule | undefined;
    for (const rule of this.#rules) {
      if (!fits(rule, path)) continue;
      if (best === undefined || rule.length > best.length || (rule.length === best.length && rule.allows)) best = rule;
    }
    return best?.allows ?? true;
  }
}

/** The rules of the groups that name the program; of those for all, when none does. */
function rulesFor(text: string, product: string): Rule[] {
  const own: Rule[] = [];
  const all: Rule[] = [];
  let isNamed = false;
  let agents: string[] = [];
  let inRules = true;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/, MAX_LINES)) {
    const colon = line.indexOf(":");
    if (colon === -1) continue;
    const field = line.slice(0, colon).trim().toLowerCase();
    const value = (line.slice(colon + 1).split("#", 1)[0] ?? "").trim();
    if (field === "user-agent") {
      if (inRules) agents = [];
      inRules = false;
      agents.push(value.toLowerCase());
      isNamed ||= value.toLowerCase() === product;
    } else if (field === "allow" || field === "disallow") {
      inRules = true;
      const rule = toRule(value, field === "allow");
      if (rule !== undefined && agents.includes(product)) own.push(rule);
      if (rule !== undefined && agents.includes("*")) all.push(rule);
    }
  }
  return isNamed ? own : all;
}

/** An empty rule says nothing. */
function toRule(value: string, allows: boolean): Rule | undefined {
  if (value === "" || value.length > MAX_PATTERN) return undefined;
  const isWhole = value.endsWith("$");
  const pattern = isWhole ? value.slice(0, -1) : value;
  return { allows, parts: pattern.split("*"), isWhole, length: value.length };
}

function fits({ parts, isWhole }: Rule, path: string): boolean {
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  const last = rest.pop();
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (last === undefined) return !isWhole || at === path.length;
  if (isWhole) return path.endsWith(last) && path.length - last.length >= at;
  return path.indexOf(last, at) !== -1;
}
