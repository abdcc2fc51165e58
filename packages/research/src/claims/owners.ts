import { getDomain } from "tldts";
import type { NearDuplicates } from "./near-duplicates.js";

/**
 * Gives who runs the host of an address: its registrable domain by the public suffix list, else the host itself. All
 * documents of one's own have one owner.
 */
export function ownerOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "file:") return parsed.protocol;
  const host = parsed?.hostname;
  if (host === undefined || host === "") return undefined;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** Counts who stands behind some pages: pages of one owner count once, and so do pages of nearly the same text. */
export function countOwners(urls: readonly string[], duplicates?: NearDuplicates): number {
  const owned = urls.flatMap((url) => {
    const owner = ownerOf(url);
    return owner === undefined ? [] : [{ url, owner }];
  });
  const owners = new Set(owned.map(({ owner }) => owner));
  // Texts are compared only where that can change the count.
  if (owners.size < 2) return owners.size;
  const groups = new Map<string, string>();
  for (const { url, owner } of owned) unite(groups, owner, `text ${duplicates?.groupOf(url) ?? url}`);
  return new Set([...groups.keys()].map((key) => rootOf(groups, key))).size;
}

function unite(groups: Map<string, string>, a: string, b: string): void {
  for (const key of [a, b]) if (!groups.has(key)) groups.set(key, key);
  groups.set(rootOf(groups, a), rootOf(groups, b));
}

function rootOf(groups: ReadonlyMap<string, string>, key: string): string {
  let root = key;
  for (let next = groups.get(root); next !== undefined && next !== root; next = groups.get(root)) root = next;
  return root;
}
