// What it takes to read a page and make its text: pages as people write them, and pages that are made to take long. Each is
// served on loopback and read as a research reads it. The first row is of a process that has read none.
import { createServer } from "node:http";
import { createPages } from "@x/research/pages";

const REPEATS = Number(process.argv[2] ?? 3);
const MB = 1_000_000;

const line = (i) => `Line ${i} tells of the lake, of boat ${i * 7} and of its ${(i * 13) % 97} sails.`;
const repeated = (piece, size) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const html = (body, title = "Lake") => `<!doctype html><title>${title}</title><h1>${title}</h1>\n${body}`;
function linesOf(size, tagged) {
  const lines = [];
  for (let length = 0, i = 0; length < size; length += lines.at(-1).length, i++) lines.push(tagged(line(i), i));
  return lines.join("\n");
}
const paragraphs = (size) => linesOf(size, (text) => `<p>${text}</p>`);
/** Sections with links and notes around the words, as an encyclopedia has them. */
const article = (size) =>
  `<nav>${linesOf(5_000, (text, i) => `<a href="/${i}">${text}</a>`)}</nav><main><article>${linesOf(size, (text, i) => {
    const heading = i % 20 === 0 ? `<h2 id="s${i}">Section ${i}</h2>` : "";
    return `${heading}<p>${text.replace("lake", `<a href="/wiki/lake-${i}" title="Lake">lake</a>`)}<sup><a href="#n${i}">[${i}]</a></sup></p>`;
  })}</article></main><footer>Imprint</footer>`;
const rows = (size) => linesOf(size, (_, i) => `<tr><td>${i}<td>boat ${i * 7}<td>${(i * 13) % 97}</tr>`);

const PAGES = {
  "5 KB of paragraphs": html(paragraphs(5_000)),
  "50 KB of paragraphs": html(paragraphs(50_000)),
  "500 KB of paragraphs": html(paragraphs(500_000)),
  "50 KB with links and notes in `main`": html(article(50_000)),
  "500 KB with links and notes in `main`": html(article(500_000)),
  "500 KB of a table": html(`<table>${rows(500_000)}</table>`),
  "10 MB in one line": html(repeated("The lake has boats and sails. ", 9.9 * MB)),
  "10 MB of paragraphs": html(paragraphs(9.9 * MB)),
  "10 MB without a blank": html("x".repeat(9.9 * MB)),
  "100,000 elements in each other": html("<div>".repeat(100_000)),
  "4,900 quotations in each other, then 100,000 paragraphs": html(
    "<blockquote>".repeat(4_900) + "<p>x".repeat(100_000),
  ),
  "4,900 links in each other, then 1,000,000 paragraphs": html(
    Array.from({ length: 4_900 }, (_, i) => `<a href=/${i}>`).join("") + "<p>x".repeat(1_000_000),
  ),
  "4,900 tables in each other, then 500,000 headings": html("<table>".repeat(4_900) + "<h2>x</h2>".repeat(500_000)),
  "4,900 raised texts in each other, then 400,000 notes": html(
    "<sup>".repeat(4_900) + "<a href='#n'>n</a>".repeat(400_000),
  ),
  "2,000,000 entities": html("&amp;".repeat(1_900_000)),
  "1,000,000 attributes": html(`<p ${repeated("a=1 b=2 ", 9 * MB)}>x`),
  "10 MB of `<`": html("<".repeat(9.9 * MB)),
};

const server = createServer((asked, answer) => {
  answer.setHeader("content-type", "text/html; charset=utf-8");
  answer.end(Object.values(PAGES)[Number(/\d+/.exec(asked.url)?.[0])] ?? "");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const pages = createPages({ allowAddress: () => true, ports: [port], respectRobots: false });

async function read(at) {
  const from = performance.now();
  const text = await pages.read(`http://127.0.0.1:${port}/${at}`).catch((error) => error);
  const said = typeof text === "string" ? `${text.length.toLocaleString("en")} characters` : text.message;
  return { ms: performance.now() - from, said };
}

async function row(name, at, repeats = REPEATS) {
  const reads = [];
  for (let i = 0; i < repeats; i++) reads.push(await read(at));
  const ms = reads.map((each) => each.ms).toSorted((a, b) => a - b)[Math.floor((repeats - 1) / 2)];
  console.log(`| ${name} | ${Math.round(ms)} ms | ${reads[0].said} |`);
}

console.log(`Median of ${REPEATS}, Node ${process.version}.\n\n| page | read in | text |\n|---|--:|---|`);
await row("5 KB of paragraphs, the first of a process", 0, 1);
for (const [at, name] of Object.keys(PAGES).entries()) await row(name, at);
await pages.close();
server.close();
server.closeAllConnections();
