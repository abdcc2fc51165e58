import { machine, table } from "../measure/page.mjs";
import { quantile } from "../measure/statistics.mjs";
import type { Abuse } from "./ground.js";
import { MALLOC } from "./image.js";
import type { Played } from "./play.js";
import { type Line, type Siege, timesOf } from "./verdict.js";

/** A row of the table: an abuse and each time that it was played. */
export interface Row {
  group: string;
  abuse: Abuse;
  played: readonly Played[];
}

/** What should not have been, each once. */
export function problemsOf({ played }: Row): string[] {
  const all = played.flatMap(({ problems, outlived }) => [
    ...(outlived ? ["the server ended or froze meanwhile"] : []),
    ...problems,
  ]);
  return [...new Set(all)];
}

export function holds(row: Row): boolean {
  return row.played.length > 0 && problemsOf(row).length === 0;
}

/** The page of one siege. */
export function toMarkdown(siege: Siege, lines: readonly Line[], rows: readonly Row[], minutes: number): string {
  return [
    "# Siege",
    "",
    "Written by `npm run siege -- --write`: do not edit.",
    "",
    `One server over HTTP on loopback, ${minutes.toFixed(1)} minutes of everything below; meanwhile a well-behaved client makes a call a`,
    `second and looks at \`/health\` ten times a second, from a process of its own. The server is started with what our Docker image`,
    `sets for the C library: ${Object.entries(MALLOC)
      .map(([name, value]) => `\`${name}=${value}\``)
      .join(", ")}. ${machine()}.`,
    "",
    verdictTable(lines),
    "",
    timesTable(siege),
    "",
    ...[...new Set(rows.map(({ group }) => group))].flatMap((group) => [
      `## ${group}`,
      "",
      table(
        ["abuse", "what is sent", "what must come of it", "seen", "longest `/health` meanwhile>", "memory meanwhile>"],
        rows.filter((row) => row.group === group).map((row) => cells(row, siege)),
      ),
      "",
    ]),
    ...(siege.ends.length > 0
      ? ["## Ends of the server", "", ...siege.ends.map((end) => `- ${oneLine(end, 300)}`), ""]
      : []),
  ].join("\n");
}

function verdictTable(lines: readonly Line[]): string {
  return table(
    ["must hold", "measured", ""],
    lines.map(({ what, measured, ok }) => [what, oneLine(measured, 300), ok ? "yes" : "**no**"]),
  );
}

/** Beside the server: a program that has nothing else to do, looked at the same way on the same machine. */
function timesTable({ calls, health }: Siege): string {
  const row = (name: string, values: readonly number[]) => [
    name,
    ...[0.5, 0.99, 1].map((p) => `${quantile([...values], p).toFixed(0)} ms`),
    values.length,
    values.filter((ms) => ms > 100).length,
    values.filter((ms) => ms > 1_000).length,
  ];
  return table(
    ["", "median>", "99th percentile>", "longest>", "count>", "over 100 ms>", "over 1 s>"],
    [
      row(
        "a call of the well-behaved client",
        calls.map(({ ms }) => ms),
      ),
      row("`/health`", timesOf(health)),
      row(
        "the same look at an idle program",
        health.map(({ idleMs }) => idleMs),
      ),
    ],
  );
}

function cells(row: Row, { health }: Siege): string[] {
  const { abuse, played } = row;
  const during = health.filter(({ at, ms }) => played.some(({ from, to }) => at <= to && at + ms >= from));
  // What takes less than a tenth of a second may lie between two looks.
  const most = (values: readonly number[], unit: string) =>
    values.length === 0 ? "" : `${Math.max(...values).toFixed(0)} ${unit}`;
  const problems = problemsOf(row);
  const seen = problems.length > 0 ? `**fails**: ${problems.join("; ")}` : (played.at(-1)?.said ?? "**not played**");
  return [
    abuse.name,
    abuse.sent,
    abuse.expected,
    oneLine(seen, 300),
    most(timesOf(during), "ms"),
    most(
      during.map(({ residentMB }) => residentMB),
      "MB",
    ),
  ];
}

/** Text from outside, fit for a cell. */
function oneLine(text: string, length: number): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\p{C}]/gu, "\u00B7")
    .replaceAll("<", "&lt;")
    .replaceAll("![", "!\\[")
    .slice(0, length);
}
