/** A pattern of names: one for each folder on the way, `**` for any number of them. */
export type Pattern = readonly string[];

/** Alternatives that one pattern may stand for. */
const MAX_ALTERNATIVES = 64;
/** What is meant by nobody who names a whole folder. */
const PASSED_OVER = /^(?:\.|node_modules$|__pycache__$)/;

/**
 * Reads a glob: `*` and `?` within a name, `**` for any number of folders, `{a,b}` for either. It is matched without regular
 * expressions: what the person's model writes here takes no more than the name's length times the pattern's.
 */
export function parseGlob(glob: string): Pattern[] {
  return alternatives(glob).map((text) => {
    const names = text.split("/").filter((name) => name !== "" && name !== ".");
    return names.filter((name, at) => name !== "**" || names[at - 1] !== "**");
  });
}

/** Whether a text means more than the name that it is. */
export function isGlob(text: string): boolean {
  return /[*?{]/.test(text);
}

function alternatives(glob: string): string[] {
  const done: string[] = [];
  const left = [glob];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const end = next.indexOf("}");
    const start = end === -1 ? -1 : next.lastIndexOf("{", end);
    if (start === -1 || done.length + left.length >= MAX_ALTERNATIVES) {
      if (done.length < MAX_ALTERNATIVES) done.push(next);
      continue;
    }
    for (const choice of next.slice(start + 1, end).split(",", MAX_ALTERNATIVES)) {
      left.push(next.slice(0, start) + choice + next.slice(end + 1));
    }
  }
  return done;
}

/** How far some patterns are matched on the way down from a folder. */
export class Match {
  readonly #patterns: readonly Pattern[];
  /** Of each pattern, the places that may come next; its length: all that is below is meant. */
  readonly #places: readonly (readonly number[])[];

  private constructor(patterns: readonly Pattern[], places: readonly (readonly number[])[]) {
    this.#patterns = patterns;
    this.#places = places;
  }

  static of(patterns: readonly Pattern[]): Match {
    return new Match(
      patterns,
      patterns.map((pattern) => withSkipped(pattern, [0])),
    );
  }

  /** The match one name further down. */
  step(name: string): Match {
    const isPassedOver = PASSED_OVER.test(name);
    const places = this.#patterns.map((pattern, index) => {
      const next = new Set<number>();
      for (const place of this.#places[index] ?? []) {
        const wanted = pattern[place];
        if (wanted === undefined || wanted === "**") {
          if (!isPassedOver) next.add(place);
        } else if ((!isPassedOver || wanted.startsWith(name.slice(0, 1))) && matchesName(name, wanted))
          next.add(place + 1);
      }
      return withSkipped(pattern, next);
    });
    return new Match(this.#patterns, places);
  }

  /** Whether what stands here is meant. */
  get isWhole(): boolean {
    return this.#patterns.some((pattern, index) => this.#places[index]?.includes(pattern.length));
  }

  /** Whether something below may be meant. */
  get goesOn(): boolean {
    return this.#places.some((places) => places.length > 0);
  }

  /** Equal for two matches that go on alike. */
  get key(): string {
    return JSON.stringify(this.#places);
  }
}

/** `**` may stand for no folder at all. */
function withSkipped(pattern: Pattern, places: Iterable<number>): number[] {
  const all = new Set(places);
  for (const place of all) if (pattern[place] === "**") all.add(place + 1);
  return [...all].sort((a, b) => a - b);
}

/** Whether a name fits a pattern of `*` and `?`; after a `*` it goes back to the last one alone. */
export function matchesName(name: string, pattern: string): boolean {
  let [at, wanted, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[wanted] === "*") {
      star = wanted++;
      from = at;
    } else if (pattern[wanted] === "?" || pattern[wanted] === name[at]) {
      wanted++;
      at++;
    } else if (star !== -1) {
      wanted = star + 1;
      at = ++from;
    } else return false;
  }
  while (pattern[wanted] === "*") wanted++;
  return wanted === pattern.length;
}
