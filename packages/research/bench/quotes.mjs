// What it costs to look for quotations in what a research read: twenty pages of 250,000 characters of several kinds, and
// answers that are made to take long. The numbers are of one process that has matched before; the first line is of a fresh one.
import { createHash } from "node:crypto";
import { builtInPrompts, createMemoryPageStore, createMemoryRunStore, search } from "@x/research";
import { createEvidenceFile, verifyEvidenceFile } from "@x/research/evidence";

const REPEATS = Number(process.argv[2] ?? 3);
const PAGES = 20;
const LENGTH = 250_000;
const hashOf = (text) => createHash("sha256").update(text).digest("hex");
const resultOf = async (run) => {
  for (;;) {
    const { done, value } = await run.next();
    if (done) return value;
  }
};

/** Lines of 20 words, as often as words are in a language: few of them everywhere, most of them seldom. */
function proseOf(seed, { between = " ", spell = (word) => word } = {}) {
  let state = seed + 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = () =>
    spell(
      Math.floor(20_000 ** random())
        .toString(36)
        .replaceAll(/\d/g, (digit) => "aeiouklmnr"[digit]),
    );
  let text = "";
  while (text.length < LENGTH) {
    const words = Array.from({ length: 20 }, word);
    text += `${words.slice(0, 10).join(between)} ${Math.floor(random() * 1_000)} ${words.slice(10).join(between)}.\n`;
  }
  // As one piece, as a page comes from the store.
  return Buffer.from(text.slice(0, LENGTH)).toString();
}

const shifted = (first, count) => (word) =>
  Array.from(word, (char) => String.fromCharCode(first + ((char.charCodeAt(0) * 37) % count))).join("");
const marked = (text) =>
  text
    .replaceAll(/(\w{5,}) (\w)/g, "[$1](https://a.example/$1) $2")
    .replaceAll(/ (\w{4}) /g, " **$1** ")
    .slice(0, LENGTH);
const KINDS = {
  "plain prose": (n) => proseOf(n),
  "Markdown: every longer word a link or bold": (n) => marked(proseOf(n)),
  "tables: every word a cell": (n) => proseOf(n).replaceAll(" ", " | "),
  "entities: `&amp;` at every tenth word": (n) => proseOf(n).replaceAll(" e", " &amp; e").slice(0, LENGTH),
  "decomposed accents": (n) => proseOf(n, { spell: (word) => word.replaceAll("e", "e\u0301") }),
  "Chinese, no blanks": (n) => proseOf(n, { between: "", spell: shifted(0x4e00, 3_000) }),
  "Arabic with marks of direction": (n) => proseOf(n, { spell: (word) => `\u200f${shifted(0x628, 30)(word)}\u200e` }),
};

/** Two lines of each page; of every fourth page altered in a number. */
function fewClaims(pages) {
  return pages.flatMap(({ url, text }, n) =>
    [500, 1_000].map((line) => {
      const lines = text.split("\n");
      const quote = lines[line % lines.length].slice(0, 400);
      return { text: quote, sources: [{ url, quote: n % 4 === 0 ? quote.replace(/\d+/, "4711") : quote }] };
    }),
  );
}

const manyClaims = (quoteOf) => (pages) =>
  Array.from({ length: 1_000 }, (_, n) => {
    const { url, text } = pages[n % pages.length];
    return { text: `Claim ${n} of the lake.`, sources: [{ url, quote: quoteOf(text, n) }] };
  });
const piece = (text, n, length) => text.slice((n * 211) % (LENGTH - length)).slice(0, length);
const HOSTILE = {
  "1,000 claims, quotes of 300 characters": manyClaims((text, n) => piece(text, n, 300)),
  "1,000 claims, every quote altered in each tenth word": manyClaims((text, n) =>
    piece(text, n, 300).replaceAll(/((?:\S+ ){9})\S+/g, "$1altered"),
  ),
  "100 claims, quotes of 4,900 characters altered in each tenth word": (pages) =>
    manyClaims((text, n) => piece(text, n, 4_900).replaceAll(/((?:\S+ ){9})\S+/g, "$1x"))(pages).slice(0, 100),
  "50 claims, quotes of 100 KB": (pages) => manyClaims((text, n) => piece(text, n, 100_000))(pages).slice(0, 50),
};
const UGLY = {
  "one word again and again": () => "lake ".repeat(LENGTH / 5),
  "marks on one letter": () => `a${"\u0301\u0323".repeat(LENGTH / 2)}`,
  "dashes and blanks": () => "- ".repeat(LENGTH / 2),
  "open brackets": () => "[".repeat(LENGTH),
};

/** A search whose run has read the pages and answers with the claims; then its evidence, computed anew from its file. */
async function judge(pages, claims) {
  const read = pages.map(({ url, text }) => ({
    page: {
      ...{ url, final_url: url, sha256: hashOf(url), bytes: text.length, content_type: "text/html" },
      ...{ fetched_at: new Date(0).toISOString(), text_sha256: hashOf(text) },
    },
    text,
    shown: [],
  }));
  const answer = `\`\`\`json\n${JSON.stringify({ success: true, report: "Lakes.", metadata: {}, claims })}\n\`\`\``;
  const started = {};
  const access = {
    mcpServers: {},
    reads: async () => {
      Object.assign(started, { ms: performance.now(), cpu: process.cpuUsage() });
      return { pages: read, failures: [] };
    },
    close() {},
  };
  const runner = {
    // biome-ignore lint/correctness/useYield: there is nothing to tell
    async *run() {
      return { text: answer, models: [], recorded: true, queries: ["q"], sources: [], failures: [], attributions: [] };
    },
  };
  const [store, pageStore] = [createMemoryRunStore(), createMemoryPageStore()];
  const reading = { open: async () => ({ access: async () => access, close() {} }) };
  const deps = { runner, prompts: builtInPrompts, pages: reading, store, pageStore };
  const report = await resultOf(search({ query: "Lakes?" }, deps));
  const matchMs = performance.now() - started.ms;
  const cpuMs = process.cpuUsage(started.cpu).user / 1_000;
  const [id] = await store.list();
  const file = await createEvidenceFile(id, { store, pageStore, prompts: builtInPrompts });
  const verifyAt = performance.now();
  const { problems } = await verifyEvidenceFile(file);
  const verifyMs = performance.now() - verifyAt;
  if (problems.length > 0) throw new Error(problems.join());
  const quotes = report.metadata.evidence.claims.flatMap((claim) => claim.quotes);
  const count = (...found) => quotes.filter((quote) => found.includes(quote.found)).length;
  const all = `${count("exact", "typography", "loose", "elsewhere")}/${count("altered")}/${count("not-found")}`;
  return { matchMs, cpuMs, verifyMs, all };
}

async function row(name, pages, claims, repeats = REPEATS) {
  const tries = [];
  for (let i = 0; i < repeats; i++) tries.push(await judge(pages, claims));
  const of = (key) => Math.round(tries.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor((repeats - 1) / 2)]);
  console.log(`| ${name} | ${tries[0].all} | ${of("matchMs")} ms | ${of("cpuMs")} ms | ${of("verifyMs")} ms |`);
}

const pagesOf = (textOf) =>
  Array.from({ length: PAGES }, (_, n) => ({ url: `https://host${n}.example/page`, text: textOf(n) }));
console.log(`Median of ${REPEATS}, Node ${process.version}. ${PAGES} pages of ${LENGTH} characters.

| | found/altered/not found | matching | its processor time | computed anew from the file |
|---|--:|--:|--:|--:|`);
const prose = pagesOf(KINDS["plain prose"]);
await row("plain prose, the first time in a process", prose, fewClaims(prose), 1);
for (const [name, textOf] of Object.entries(KINDS)) {
  const pages = pagesOf(textOf);
  await row(name, pages, fewClaims(pages));
}
for (const [name, claimsOf] of Object.entries(HOSTILE)) await row(name, prose, claimsOf(prose), 1);
for (const [name, textOf] of Object.entries(UGLY)) {
  const pages = pagesOf(textOf);
  await row(`pages of ${name}`, pages, [...fewClaims(prose), ...fewClaims(pages)], 1);
}
