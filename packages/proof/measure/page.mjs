/** The pages under docs/ that runs write, and the parts of which they are made. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";

const DOCS = new URL("../../../docs/", import.meta.url);

/** A Markdown table. Columns whose heading ends with `>` stand to the right. */
export function table(headings, rows) {
  const right = headings.map((heading) => heading.endsWith(">"));
  const cells = (row) => `| ${row.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    cells(headings.map((heading) => heading.replace(/>$/, ""))),
    `|${right.map((isRight) => (isRight ? "--:" : "---")).join("|")}|`,
    ...rows.map(cells),
  ].join("\n");
}

/** The machine a number was measured on, in one line. */
export function machine() {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, Node ${process.version}, ${process.platform} ${release().split("-")[0]} ${process.arch}, ${cpus().length} cores (${cpu?.model.trim() || "unnamed"}), ${memory} GiB`;
}

/** Replaces one section of a page under docs/: what stands between `<!-- name -->` and `<!-- /name -->`. */
export function writeSection(page, name, text) {
  const file = new URL(page, DOCS);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [before.indexOf(open), before.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${file.pathname} has no section ${open} … ${close}`);
  writeFileSync(file, `${before.slice(0, from + open.length)}\n${text.trim()}\n${before.slice(to)}`);
}
