import * as z from "zod";
import { damagedRecord, ResearchError } from "../errors.js";
import type { ResearchEvent } from "../events.js";
import type { DeepSearchReport, Usage } from "../report.js";
import type { Budget, DocumentSource, Filters, ResearchPlan } from "../request.js";
import type { RunStore } from "../run-store.js";
import { type Findings, FindingsSchema } from "./findings.js";
import { type KnownBefore, KnownBeforeSchema } from "./known-before.js";

/** What is asked: stays the same when a research goes on after a stop. */
export interface Order {
  query: string;
  maxRounds: number;
  model?: string | undefined;
  fallbackModels?: readonly string[] | undefined;
  filters?: Filters | undefined;
  budget?: Budget | undefined;
  requireEvidence?: number | undefined;
  files?: readonly DocumentSource[] | undefined;
  web?: boolean | undefined;
  outputSchema?: object | undefined;
  plan?: ResearchPlan | undefined;
}

/** A research between two rounds, as plain data. */
export interface Checkpoint {
  id: string;
  order: Order;
  findings: Findings;
  /** What is told of the researches that this one follows and renews. */
  earlier: readonly KnownBefore[];
  usage: Usage;
  /** Models that answered, by the CLI's word. */
  answeredBy: string[];
  /** Redirect links and the pages behind them. */
  links: [link: string, page: string][];
  /** Of a research that has done all its rounds. */
  report?: DeepSearchReport | undefined;
  /** ISO 8601. Missing in older ones. */
  savedAt?: string | undefined;
}

const VERSION = 1;
const texts = z.array(z.string());
const number = z.number();

const filters = z.object({
  allowedDomains: texts,
  blockedDomains: texts,
  recency: z.enum(["day", "week", "month", "year"]),
  language: z.string(),
});
const budget = z.object({ maxRuns: number, maxDurationMs: number, maxTokens: number });

const CheckpointSchema = z.object({
  version: z.literal(VERSION),
  id: z.string(),
  order: z.object({
    query: z.string(),
    maxRounds: number,
    model: z.string().optional(),
    fallbackModels: texts.optional(),
    filters: filters.partial().optional(),
    budget: budget.partial().optional(),
    requireEvidence: number.optional(),
    files: z.array(z.object({ root: z.string(), glob: z.string().optional() })).optional(),
    web: z.boolean().optional(),
    outputSchema: z.looseObject({}).optional(),
    plan: z.object({ aspects: texts.optional(), queries: texts }).optional(),
  }),
  findings: FindingsSchema,
  usage: z.object({
    runs: number,
    input_tokens: number,
    output_tokens: number,
    total_tokens: number,
    duration_ms: number,
  }),
  answeredBy: texts,
  links: z.array(z.tuple([z.string(), z.string()])),
  savedAt: z.string().optional(),
  earlier: z.array(KnownBeforeSchema).default([]),
  // A damaged report is made again from the findings.
  report: z
    .looseObject({
      success: z.literal(true),
      result: z.string(),
      verified: z.boolean(),
      metadata: z.looseObject({
        duration_ms: number,
        query: z.string(),
        model: z.string(),
        timestamp: z.string(),
        iterations: number.int().positive(),
        sources_visited: texts,
        search_queries_used: texts,
      }),
    })
    .optional()
    .catch(undefined),
});

/** Keeps a state where there is a store; what cannot be kept is told. */
export async function* saveCheckpoint(
  store: RunStore | undefined,
  checkpoint: Checkpoint,
): AsyncGenerator<ResearchEvent, void, void> {
  try {
    await store?.save(checkpoint.id, { version: VERSION, ...checkpoint });
  } catch (error) {
    const message = `Cannot save the state of the research: ${(error as Error).message}`;
    yield { type: "log", level: "warn", message };
  }
}

/** Throws a `ResearchError` when there is no store, or nothing under this id, and one that names the record when it is damaged. */
export async function loadCheckpoint(store: RunStore | undefined, id: string): Promise<Checkpoint> {
  if (store === undefined) {
    const message = "No store was given, so no earlier research is known. Give the one that it was kept in.";
    throw new ResearchError("INVALID_INPUT", message);
  }
  const saved = await store.load(id);
  if (saved === undefined) {
    throw new ResearchError("INVALID_INPUT", `No research is kept under the id ${JSON.stringify(id)}. Start it again.`);
  }
  const read = CheckpointSchema.safeParse(saved);
  if (!read.success) throw damagedRecord(store.locate?.(id) ?? id, { details: z.prettifyError(read.error) });
  // The schema says `undefined` where the types leave a key out.
  const { version: _, ...checkpoint } = read.data;
  return checkpoint as Checkpoint;
}
