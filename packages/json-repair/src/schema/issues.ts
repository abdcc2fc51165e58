import type { SchemaIssue } from "./standard-schema.js";

function keysOf(issue: SchemaIssue): PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}

/** What zod, valibot and arktype say of a union: the issues of its members. */
interface UnionIssue extends SchemaIssue {
  /** zod: a list for each member, with paths from the union on; arktype: with paths from the whole on. */
  readonly errors?: unknown;
  /** valibot: of all members, with paths from the union on. */
  readonly issues?: unknown;
}

function branchesOf({ errors, issues }: UnionIssue): { branches: SchemaIssue[][]; relative: boolean } {
  if (Array.isArray(issues)) return { branches: issues.map((one: SchemaIssue) => [one]), relative: true };
  if (!Array.isArray(errors)) return { branches: [], relative: true };
  const relative = errors.every(Array.isArray);
  return { branches: errors.map((one: SchemaIssue | SchemaIssue[]) => (Array.isArray(one) ? one : [one])), relative };
}

/** So many issues are looked at, with those inside of unions. */
const MAX_ISSUES = 200;
const MAX_NESTING = 4;

/** A place where something is wrong, and the values that are named for it. */
export interface Wrong {
  path: PropertyKey[];
  named: readonly unknown[];
}

/** The issues, and behind each those inside of its union. */
export function wrongOf(issues: readonly SchemaIssue[]): Wrong[] {
  const found: Wrong[] = [];
  const add = (issue: SchemaIssue, before: PropertyKey[], depth: number) => {
    if (found.length >= MAX_ISSUES) return;
    const path = [...before, ...keysOf(issue)];
    found.push({ path, named: namedBy(issue) });
    const { branches, relative } = branchesOf(issue);
    if (depth < MAX_NESTING) for (const one of branches.flat()) add(one, relative ? path : [], depth + 1);
  };
  for (const issue of issues) add(issue, [], 0);
  return found;
}

/** How much is wrong: of a union, what is wrong with the member that comes nearest. */
export function weightOf(issues: readonly SchemaIssue[], depth = 0): number {
  let weight = 0;
  for (const issue of issues) {
    const { branches } = branchesOf(issue);
    const inner = branches.map((branch) => (depth < MAX_NESTING ? weightOf(branch, depth + 1) : 1));
    weight += 1 + (inner.length > 0 ? Math.min(...inner.slice(0, MAX_ISSUES)) : 0);
  }
  return weight;
}

/** The values that one issue names as right: by zod as `values`, by others in quotes. */
function namedBy(issue: SchemaIssue): readonly unknown[] {
  const { values, expected } = issue as SchemaIssue & { values?: unknown; expected?: unknown };
  if (Array.isArray(values)) return values;
  const words = typeof expected === "string" ? expected.slice(0, 4_000) : "";
  if (!words.includes('"')) return [];
  return Array.from(words.split(" (was ")[0]?.matchAll(/"([^"\\]{1,200})"/g) ?? [], ([, word]) => word);
}

type PathTree = Map<PropertyKey, PathTree>;

/** The paths of issues, as a tree. */
export class IssuePaths {
  readonly #root: PathTree = new Map();

  constructor(wrong: readonly Pick<Wrong, "path">[]) {
    for (const { path } of wrong) {
      let at = this.#root;
      for (const key of path) {
        let next = at.get(key);
        if (!next) {
          next = new Map();
          at.set(key, next);
        }
        at = next;
      }
    }
  }

  /** Whether one of them starts with the path. */
  within(path: readonly PropertyKey[]): boolean {
    let at: PathTree | undefined = this.#root;
    for (const key of path) at = at?.get(key);
    return at !== undefined;
  }
}
