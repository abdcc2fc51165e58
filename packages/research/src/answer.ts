import * as z from "zod";
import type { Shape } from "./shape/shape.js";

/** What a model answers with, read tolerantly: only the fields that are used, in the forms that models give them. */

const flag = z.preprocess((value) => {
  const word = typeof value === "string" ? value.trim().toLowerCase() : undefined;
  return word === "true" ? true : word === "false" ? false : value;
}, z.boolean("it must be true or false"));
/** The messages of these checks reach people, too. */
const report = z.string("it must be a text");

/** The most entries of an answer that are read: more than a person reads, too few to slow the process down. */
export const MAX_CLAIMS = 1_000;
const MAX_LISTED = 2_000;
const MAX_PER_CLAIM = 100;
const MAX_QUOTES = 20;
/** Characters of a claim, and of a quotation: longer ones are cut, and then not found. */
const MAX_CLAIM = 5_000;
const MAX_QUOTE = 6_000;

const ADDRESSES = ["url", "uri", "link", "href"] as const;

/** A text, or an object that names one: `{ url: … }`. */
function textOf(item: unknown): string[] {
  if (typeof item === "string") return item.trim() === "" ? [] : [item.trim()];
  if (typeof item !== "object" || item === null) return [];
  for (const key of [...ADDRESSES, "query"]) {
    if (Object.hasOwn(item, key)) return textOf((item as Record<string, unknown>)[key]);
  }
  return [];
}

/** One text is a list of one; several addresses in one text are a list of them. */
const listOf = (max: number) =>
  z
    .unknown()
    .transform((value): string[] => {
      if (Array.isArray(value)) return value.slice(0, max).flatMap(textOf);
      const only = textOf(value);
      const addresses = only[0]?.match(/https?:\/\/[^\s,;|<>"]+/g) ?? [];
      return addresses.length > 1 ? addresses.slice(0, max) : only;
    })
    .default([]);
const list = listOf(MAX_LISTED);

const metadata = z.preprocess(
  (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}),
  z.object({ sources_visited: list, search_queries_used: list }),
);

/** Words of a page that a claim rests on, as the model copied them. */
interface ClaimQuote {
  /** The page that the model names for them; missing when it names none. */
  url?: string | undefined;
  /** The words. */
  text: string;
}

const QUOTES = ["quote", "quotes", "quotation", "passage", "excerpt"] as const;

/** The quotations in an item: `{ url, quote }`, with one text or several. */
function quotesOf(item: unknown, url: string | undefined): ClaimQuote[] {
  if (typeof item !== "object" || item === null) return [];
  const said = QUOTES.flatMap((key) => (Object.hasOwn(item, key) ? [(item as Record<string, unknown>)[key]] : []));
  const texts = said.flat().filter((text): text is string => typeof text === "string" && text.trim() !== "");
  return texts.map((text) => ({ url, text: text.slice(0, MAX_QUOTE) }));
}

const claim = z
  .looseObject({
    text: z.string().trim().min(1),
    status: z.enum(["supported", "disputed", "unsupported"]).catch("supported"),
  })
  .transform(({ text, status, ...more }) => {
    const listed = more["sources"];
    const items = (Array.isArray(listed) ? listed : listed === undefined ? [] : [listed]).slice(0, MAX_PER_CLAIM);
    const sources = listOf(MAX_PER_CLAIM).parse(listed);
    // A quotation beside the sources is taken for one of the first.
    const quotes = [...items.flatMap((item) => quotesOf(item, textOf(item)[0])), ...quotesOf(more, sources[0])];
    return { text: text.slice(0, MAX_CLAIM), sources, status, quotes: quotes.slice(0, MAX_QUOTES) };
  });
const claims = z
  .unknown()
  .transform((value) =>
    (Array.isArray(value) ? value.slice(0, MAX_CLAIMS) : []).flatMap((item) => {
      const read = claim.safeParse(item);
      return read.success ? [read.data] : [];
    }),
  )
  .default([]);

/** A model that says it failed need not have a report; what it says instead is taken for one. */
function tolerateFailure(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "report" in value) return value;
  const { success, error, message, reason } = value as Record<string, unknown>;
  if (!flag.safeParse(success).success || flag.parse(success)) return value;
  const said = [error, message, reason, (error as { message?: unknown } | null | undefined)?.message];
  return { ...value, report: said.find((text) => typeof text === "string") ?? "" };
}

/** Where the model says that a value of `data` comes from. */
interface DataClaim {
  /** JSON Pointer to the value. */
  leaf: string;
  /** Place of the claim in `claims`, from 0. */
  claim: number;
}

/** `{ "/founded": 1 }`: places from 1, as the model counts them; also `{ "founded": "1" }` and `{ "#/founded": [1] }`. */
const dataClaims = z
  .unknown()
  .transform((value): DataClaim[] => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return Object.entries(value)
      .slice(0, MAX_LISTED)
      .flatMap(([key, place]) => {
        const claim = Number(Array.isArray(place) ? place[0] : place) - 1;
        const leaf = key.replace(/^#/, "").replace(/^(?=[^/])/, "/");
        return Number.isInteger(claim) && claim >= 0 ? [{ leaf, claim }] : [];
      });
  })
  .default([]);

const answer = z
  .object({
    success: flag,
    verified: flag.catch(false),
    report,
    metadata,
    claims,
    gaps: list,
    data: z.unknown().optional(),
    data_claims: dataClaims,
  })
  .refine((answer) => !answer.success || answer.report.trim() !== "", {
    path: ["report"],
    message: "it must not be empty",
  })
  .transform(({ data_claims: dataClaims, ...answer }) => ({ ...answer, dataClaims }));

/** Reads the answer to a search or a round, whatever its data is. */
export const AnswerSchema = z.preprocess(tolerateFailure, answer);

/** The same, with data of a shape. */
export function answerSchemaOf({ schema }: Pick<Shape, "schema">) {
  return z.preprocess(
    tolerateFailure,
    answer.transform(({ data, ...answer }, context) => {
      if (!answer.success) return { ...answer, data: undefined };
      const read = schema.safeParse(data);
      for (const issue of read.error?.issues ?? []) {
        context.issues.push({ ...issue, input: undefined, path: ["data", ...issue.path] } as z.core.$ZodRawIssue);
      }
      return { ...answer, data: read.data };
    }),
  );
}

/** An answer to a search or a round, as read. */
export type Answer = z.infer<typeof AnswerSchema>;

/** Plain text as an answer: a report that lists nothing and claims nothing. */
export function answerFromText(text: string): Answer {
  const nothing = { metadata: { sources_visited: [], search_queries_used: [] }, claims: [], gaps: [], dataClaims: [] };
  return { success: true, verified: false, report: text, ...nothing, data: undefined };
}

/** The answer of `deep_research`: its metadata goes on as it is. */
export const ResearchAnswerSchema = z.preprocess(
  tolerateFailure,
  z.object({
    success: flag,
    report,
    metadata: z.record(z.string(), z.unknown()).catch({}),
  }),
);

/** The most aspects and queries of a plan that are read, and characters of one. */
const MAX_PLANNED = 20;
const MAX_PLANNED_LINE = 300;
const PLANNED = ["query", "aspect", "text", "name", "title", "question"] as const;

function plannedLine(item: unknown): string[] {
  if (typeof item === "object" && item !== null) {
    const name = PLANNED.find((key) => Object.hasOwn(item, key));
    return name === undefined ? [] : plannedLine((item as Record<string, unknown>)[name]);
  }
  const line = typeof item === "string" ? item.replace(/[\p{Cc}\s]+/gu, " ").trim() : "";
  return line === "" ? [] : [line.slice(0, MAX_PLANNED_LINE).trimEnd()];
}

const planned = z
  .unknown()
  .transform((value) => [
    ...new Set((Array.isArray(value) ? value : [value]).slice(0, MAX_PLANNED).flatMap(plannedLine)),
  ])
  .default([]);

/** The answer to the prompt for a plan. */
export const PlanAnswerSchema = z.preprocess(
  tolerateFailure,
  z
    .object({ success: flag.default(true), report: z.string().catch(""), aspects: planned, queries: planned })
    .refine(({ success, queries }) => !success || queries.length > 0, {
      path: ["queries"],
      message: "it must not be empty",
    }),
);

const FORM = {
  report: "# Heading\n\nA statement with its source [1].\n\n## Sources\n\n[1] Title, address, date",
  metadata: {
    sources_visited: ["address of each page the text names as visited"],
    search_queries_used: ["each query the text names as searched"],
  },
};

/** The expected form, as the prompt of a correction shows it. It holds no address that could be taken for a source. */
export const answerExamples = {
  search: JSON.stringify({ success: true, ...FORM }, null, 2),
  deepSearch: JSON.stringify({ success: true, verified: false, ...FORM }, null, 2),
  research: JSON.stringify({ success: true, ...FORM, metadata: { ...FORM.metadata, iterations: 1 } }, null, 2),
  plan: JSON.stringify({ success: true, aspects: ["each aspect"], queries: ["each search query"] }, null, 2),
};

/** The same with data of a shape. */
export function exampleWithData(example: string, { json }: Pick<Shape, "json">): string {
  const { metadata, ...answer } = JSON.parse(example) as Record<string, unknown>;
  const data = { data: "a value that fits the JSON Schema below", data_claims: { "/name/of/value": 1 } };
  return `${JSON.stringify({ ...answer, metadata, ...data }, null, 2)}\n\nJSON Schema of data:\n${json}`;
}
