import type { DeepSearchReport, SearchReport } from "@x/research";
import { plainLine } from "../text/plain-text.js";
import { siteOf } from "../text/site.js";
import { type NumberedSource, readCitations, sourceUrl } from "./citations.js";

/** A source as programs for references know it. */
interface Reference {
  /** `source` and the number by which the one report cites it. */
  id: string;
  title: string;
  url: string;
  /** The site's host name; empty for a document of one's own. */
  site: string;
  /** When the research was made: year, month, day. */
  accessed: readonly [number, number, number] | undefined;
  /** Whether the research saw it. */
  note: string;
}

const NOTES: Readonly<Record<NumberedSource["status"], string>> = {
  quoted: "Read by the research, and quoted",
  attributed: "Named by Google's search as the source",
  retrieved: "Read by the research",
  found: "Found by a search, not read",
  unseen: "Named by the model, never seen by the research",
  listed: "Named by the model",
};

type Readable = SearchReport | DeepSearchReport;

/** The sources of reports, each once; of several reports they are numbered anew. */
function referencesOf(reports: readonly Readable[]): Reference[] {
  const byUrl = new Map<string, Reference>();
  for (const reference of reports.flatMap(referencesOfOne)) {
    if (!byUrl.has(reference.url)) byUrl.set(reference.url, reference);
  }
  const all = [...byUrl.values()];
  return reports.length === 1 ? all : all.map((reference, at) => ({ ...reference, id: `source${at + 1}` }));
}

/** The sources that a report cites, or all when it cites none, in the order of their numbers. */
function referencesOfOne(report: Readable): Reference[] {
  const date = new Date(report.metadata.timestamp);
  const accessed = Number.isNaN(date.getTime())
    ? undefined
    : ([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const);
  const { sources } = readCitations(report);
  const cited = sources.filter((source) => source.cited);
  return (cited.length > 0 ? cited : sources).flatMap(({ number, url, title, status }) => {
    const address = sourceUrl(url)?.href.replaceAll("{", "%7B").replaceAll("}", "%7D");
    if (address === undefined) return [];
    const { host } = new URL(address);
    const name = plainLine(title ?? "") || (host === "" ? siteOf(address) : `${host}${new URL(address).pathname}`);
    return { id: `source${number}`, title: name, url: address, site: host, accessed, note: NOTES[status] };
  });
}

/** Whether there is anything to list. */
export function hasReferences(reports: readonly Readable[]): boolean {
  return referencesOf(reports).length > 0;
}

/** The sources of one report or of several as CSL-JSON, which Zotero, Pandoc and others read. */
export function toCsl(reports: readonly Readable[]): string {
  const items = referencesOf(reports).map(({ id, title, url, site, accessed, note }) => ({
    id,
    type: site === "" ? "document" : "webpage",
    title,
    ...(site !== "" && { "container-title": site }),
    URL: url,
    ...(accessed && { accessed: { "date-parts": [accessed] } }),
    note,
  }));
  return `${JSON.stringify(items, null, 2)}\n`;
}

/**
 * The same as RIS, which Zotero, EndNote, Mendeley and others read. The day of the visit stands in `Y2`, which is for that.
 * citation-js drops it: of a web page it reads the site (`T2`) or, with other tags, the day, never both.
 */
export function toRis(reports: readonly Readable[]): string {
  const lines = referencesOf(reports).flatMap(({ id, title, url, site, accessed, note }) => [
    "TY  - ELEC",
    `ID  - ${id}`,
    `TI  - ${title}`,
    ...(site === "" ? [] : [`T2  - ${site}`]),
    `UR  - ${url}`,
    ...(accessed ? [`Y2  - ${dated(accessed, "/")}`] : []),
    `N1  - ${note}`,
    "ER  - ",
    "",
  ]);
  return lines.map((line) => `${line}\r\n`).join("");
}

/** The same for BibLaTeX. */
export function toBibtex(reports: readonly Readable[]): string {
  const entries = referencesOf(reports).map(({ id, title, url, site, accessed, note }) => {
    const fields = [
      ["title", `{${escaped(title)}}`],
      ...(site === "" ? [] : [["organization", escaped(site)] as const]),
      // Taken as it stands.
      ["url", url],
      ...(accessed ? [["urldate", dated(accessed, "-")] as const] : []),
      ["note", escaped(note)],
    ] as const;
    return `@online{${id},\n${fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("")}}\n`;
  });
  return entries.join("\n");
}

function dated([year, month, day]: readonly [number, number, number], between: string): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join(between);
}

const TEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  ...{ $: "\\$", "&": "\\&", "#": "\\#", _: "\\_", "%": "\\%" },
};

/** What means something to TeX, as text. */
function escaped(text: string): string {
  return text.replace(/[\\{}~^$&#_%]/g, (sign) => TEX[sign] ?? sign);
}
