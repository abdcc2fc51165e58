import type { Changes } from "@x/research";
import { plainLine } from "../text/plain-text.js";

/** What a reader is told of one claim that is not as it was. */
export interface ShownChange {
  kind: "changed" | "new" | "gone";
  /** What is claimed now; of a claim that is gone, what was claimed. */
  text: string;
  /** What was claimed before, of one that has changed. */
  before?: string;
}

/** Claims that are shown; whoever wants more has them in the JSON. */
const MOST = 200;

/** What has changed since an earlier report, the most telling first; `undefined`: this one renews none. */
export function changesSince(changes: Changes | undefined): { title: string; lines: ShownChange[] } | undefined {
  if (!Array.isArray(changes?.added) || !Array.isArray(changes.gone) || !Array.isArray(changes.changed))
    return undefined;
  const { added, gone, changed, same, at } = changes;
  const lines: ShownChange[] = [
    ...changed.map(({ was, is }) => ({ kind: "changed", text: plainLine(is), before: plainLine(was) }) as const),
    ...added.map((text) => ({ kind: "new", text: plainLine(text) }) as const),
    ...gone.map((text) => ({ kind: "gone", text: plainLine(text) }) as const),
  ];
  const counts = `${changed.length} changed, ${added.length} new, ${gone.length} gone, ${same} as before`;
  const since = at === undefined ? "" : ` since ${plainLine(at).slice(0, 10)}`;
  return { title: `What has changed${since}: ${counts}`, lines: lines.slice(0, MOST) };
}
