import { machine, table } from "../measure/page.mjs";

/** One thing that must hold. */
export interface Row {
  part: string;
  what: string;
  expected: string;
  seen: string;
  holds: boolean;
}

/** What the page says beside the rows. */
export interface Circumstances {
  engine: string;
  tookSeconds: number;
  /** Mean share (0 to 1) of the processors that was in use. */
  busy: number;
}

/** Text from outside, fit for one line. */
export function oneLine(text: string, length = 240): string {
  return text.replace(/\s+/g, " ").replace(/\p{C}/gu, "\u00B7").slice(0, length);
}

export function toText(rows: readonly Row[], { engine, tookSeconds, busy }: Circumstances): string {
  const failed = rows.filter(({ holds }) => !holds).length;
  return [
    `Engine ${engine}, ${Math.round(tookSeconds)} s, processors ${(busy * 100).toFixed(0)} % in use. ${machine()}.`,
    "",
    table(
      ["part", "must hold", "expected", "seen", "holds"],
      rows.map(({ part, what, expected, seen, holds }) => [part, what, expected, seen, holds ? "yes" : "**no**"]),
    ),
    "",
    `${rows.length - failed} of ${rows.length} rows hold.`,
  ].join("\n");
}

export function toJson(rows: readonly Row[], circumstances: Circumstances): string {
  return `${JSON.stringify({ ...circumstances, machine: machine(), rows }, undefined, 2)}\n`;
}
