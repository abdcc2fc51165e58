/// <reference types="node" preserve="true" />
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import * as z from "zod";
import { ResearchError } from "./errors.js";
import { PageTexts } from "./evidence/page-texts.js";
import { Redirects } from "./evidence/redirects.js";
import { isDocument } from "./evidence/urls.js";
import type { PageStore } from "./page-store.js";
import type { Prompts } from "./prompts/render.js";
import { findQuote } from "./quotes/find-quote.js";
import { SearchablePage } from "./quotes/searchable-page.js";
import type { Evidence } from "./report-evidence.js";
import { loadCheckpoint } from "./rounds/checkpoint.js";
import { type Findings, FindingsSchema, trailsOf } from "./rounds/findings.js";
import { evidenceOfFindings } from "./rounds/findings-evidence.js";
import type { RunStore } from "./run-store.js";

/** Where the research and the texts of its pages are kept. */
export interface EvidenceFileOptions {
  /** Where the research is kept. */
  store: RunStore;
  /** Where the texts of its pages are kept. */
  pageStore: PageStore;
  /** The prompts whose hash the file names. */
  prompts: Prompts;
}

/** What a check of an evidence file gave. */
export interface EvidenceCheck {
  /** What was asked. */
  question: string;
  /** What differs, each in words; empty when all stands. */
  problems: string[];
  /** The evidence, computed anew. */
  evidence: Evidence;
}

/** A quotation beside the page as it is now. */
export interface QuoteToday {
  /** Where it was found. */
  url: string;
  /** The words. */
  text: string;
  /**
   * `stands`: they are there. `changed`: the page says something else. `gone`: the page cannot be read. `own`: it is a
   * document of one's own, which was not looked at.
   */
  now: "stands" | "changed" | "gone" | "own";
  /** Why the page cannot be read. */
  reason?: string;
  /** Where an archive has a copy of the page from about the time it was read; looked for unless the words stand. */
  archived?: string;
}

/** What quotations are checked again with. */
export interface RecheckOptions {
  /**
   * Gives the text of a document of one's own as it is now, by its `file:` address; `undefined`: it may not be read here, since
   * an evidence file may come from somebody else. Rejects when it cannot be read. Default: none may.
   */
  document?: (url: string) => Promise<string | undefined>;
  /**
   * Who is asked for copies of pages: an address that answers `?url=…&timestamp=…` as the availability API of the Wayback
   * Machine does. Default: nobody.
   */
  archive?: string;
}

const FORMAT = "x-research-evidence-1";
/** Unpacked. */
const MAX_BYTES = 400_000_000;
const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

const FileSchema = z.object({
  format: z.literal(FORMAT),
  question: z.string(),
  required: z.number().optional(),
  findings: FindingsSchema,
  links: z.array(z.tuple([z.string(), z.string()])),
  prompts: z.record(z.string(), z.string()),
  texts: z.record(z.string(), z.string()),
  evidence: z.looseObject({}),
  hashes: z.record(z.string(), z.string()),
});

type File = z.infer<typeof FileSchema>;

/** What the hashes are of, and how a person calls it. */
const SECTIONS = {
  question: "the question",
  required: "the required share",
  findings: "the record of searches, reads, answers and quotations",
  links: "the pages behind links",
  prompts: "the hashes of the prompts",
  evidence: "the evidence",
} as const;

/**
 * Puts a research with the texts of its pages into one file that can be checked without a network: JSON, packed with gzip.
 * Rejects with a `ResearchError` when there is none under the id, or it has no result yet.
 */
export async function createEvidenceFile(id: string, options: EvidenceFileOptions): Promise<Uint8Array> {
  const { store, pageStore, prompts } = options;
  const { order, findings, links } = await loadCheckpoint(store, id);
  if (findings.best === undefined) throw new ResearchError("INVALID_INPUT", "This research has no result yet.");
  const texts: Record<string, string> = {};
  for (const { text_sha256: hash } of pagesOf(findings)) {
    const text = texts[hash] ?? (await pageStore.load(hash));
    if (text !== undefined) texts[hash] = text;
  }
  const { requireEvidence: required } = order;
  // As it will be read: keys that are undefined are left out.
  const parts = JSON.parse(JSON.stringify({ question: order.query, required, findings, links, texts }));
  const evidence = JSON.parse(JSON.stringify(await evidenceOfFile(parts)));
  const named = Object.fromEntries(Object.entries(prompts).map(([name, text]) => [name, hashOf(text)]));
  const file = { format: FORMAT, ...parts, prompts: named, evidence };
  return pack(JSON.stringify({ ...file, hashes: hashesOf(file) }));
}

/** Computes all evidence of a file anew, and names what differs. Throws `INVALID_INPUT` for what is no such file. */
export async function verifyEvidenceFile(bytes: Uint8Array): Promise<EvidenceCheck> {
  const file = await readFile(bytes);
  const problems: string[] = [];
  const hashes = hashesOf(file);
  for (const [name, words] of Object.entries(SECTIONS)) {
    if (hashes[name] !== file.hashes[name]) problems.push(`${words} was altered`);
  }
  const pages = pagesOf(file.findings);
  for (const [hash, text] of Object.entries(file.texts)) {
    if (hashOf(text) === hash) continue;
    const { final_url: url = "no page of this research" } = pages.find((page) => page.text_sha256 === hash) ?? {};
    problems.push(`the text of ${url} was altered`);
  }
  const evidence = await evidenceOfFile(file);
  problems.push(...differences(file.evidence as unknown as Evidence, JSON.parse(JSON.stringify(evidence))));
  return { question: file.question, problems, evidence };
}

/** Looks for every quotation that was found on its page as it is today. `read` gives the text of a page, or rejects. */
export async function recheckQuotes(
  { claims, pages: wereRead }: Pick<Evidence, "claims" | "pages">,
  read: (url: string) => Promise<string>,
  { archive, document = async () => undefined }: RecheckOptions = {},
): Promise<QuoteToday[]> {
  const found = claims.flatMap(({ quotes }) =>
    quotes.filter((quote) => !["altered", "not-found"].includes(quote.found)),
  );
  const pages = new Map<string, Promise<SearchablePage | Error | undefined>>();
  const copies = new Map<string, Promise<string | undefined>>();
  const today: QuoteToday[] = [];
  for (const { url, text } of found) {
    const isOwn = isDocument(url);
    const page = await once(pages, url, () => readToday(url, isOwn ? document : read));
    if (page === undefined) {
      today.push({ url, text, now: "own" });
      continue;
    }
    if (!(page instanceof Error) && findQuote(text, [page], [0]).found in STANDS) {
      today.push({ url, text, now: "stands" });
      continue;
    }
    const { fetched_at: at } = wereRead.find(({ final_url }) => final_url === url) ?? {};
    const archived =
      archive === undefined || isOwn
        ? undefined
        : await once(copies, url, () => archivedCopy(url, at, { archive, read }));
    const now = page instanceof Error ? { now: "gone" as const, reason: page.message } : { now: "changed" as const };
    today.push({ url, text, ...now, ...(archived !== undefined && { archived }) });
  }
  return today;
}

const STANDS = { exact: true, typography: true, loose: true };

/** What is known of an address, asked for the first time. */
function once<T>(known: Map<string, Promise<T>>, url: string, ask: () => Promise<T>): Promise<T> {
  const value = known.get(url) ?? ask();
  known.set(url, value);
  return value;
}

async function readToday(
  url: string,
  read: (url: string) => Promise<string | undefined>,
): Promise<SearchablePage | Error | undefined> {
  try {
    const text = await read(url);
    return text === undefined ? undefined : new SearchablePage(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const ArchiveSchema = z.object({
  archived_snapshots: z.object({
    closest: z.object({ available: z.literal(true), url: z.url({ protocol: /^https?$/ }) }),
  }),
});

/** The address of an archive's copy; `undefined` when it has none, or does not answer as it should. */
async function archivedCopy(
  url: string,
  at: string | undefined,
  { archive, read }: { archive: string; read: (url: string) => Promise<string> },
): Promise<string | undefined> {
  const asked = new URL(archive);
  asked.searchParams.set("url", url);
  if (at !== undefined) asked.searchParams.set("timestamp", at.replace(/\D/g, "").slice(0, 14));
  try {
    const answer = ArchiveSchema.safeParse(JSON.parse(await read(asked.href)));
    return answer.data?.archived_snapshots.closest.url;
  } catch {
    return undefined;
  }
}

async function readFile(bytes: Uint8Array): Promise<File> {
  try {
    const text = (await unpack(bytes, { maxOutputLength: MAX_BYTES })).toString("utf8");
    return FileSchema.parse(JSON.parse(text));
  } catch (cause) {
    const message = "This is no evidence file, or a damaged one. Expected what `evidence ID --out FILE` writes.";
    throw new ResearchError("INVALID_INPUT", message, { cause });
  }
}

function pagesOf(findings: Findings) {
  return trailsOf(findings).flatMap(({ pages }) => pages);
}

async function evidenceOfFile({ required, findings, links, texts }: Omit<File, "evidence">): Promise<Evidence> {
  const { best } = findings;
  if (best === undefined) throw new ResearchError("INVALID_INPUT", "The file holds no result.");
  const read = new PageTexts();
  await read.add(
    pagesOf(findings).flatMap((page) => {
      const text = Object.hasOwn(texts, page.text_sha256) ? texts[page.text_sha256] : undefined;
      return text === undefined ? [] : [{ page, text, shown: [] }];
    }),
  );
  const order = { requireEvidence: required };
  return evidenceOfFindings({ order, findings, best, links: new Redirects(undefined, links), texts: read });
}

function hashesOf(file: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.keys(SECTIONS).map((name) => [name, hashOf(JSON.stringify(file[name]) ?? "")]));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Where two evidences differ, in words; both are plain JSON. */
function differences(was: Evidence, is: Evidence): string[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const claims = is.claims.flatMap((claim, at) =>
    JSON.stringify(was.claims?.[at]) === JSON.stringify(claim)
      ? []
      : [`claim ${at + 1} is ${claim.proof}, not ${was.claims?.[at]?.proof ?? "there"}: ${claim.text.slice(0, 200)}`],
  );
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => key !== "claims");
  const others = keys.filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]));
  return [...claims, ...others.map((key) => `evidence.${key} is ${brief(is[key])}, not ${brief(was[key])}`)];
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 100);
}
