import type * as z from "zod";
import { type Answer, AnswerSchema, answerFromText, answerSchemaOf, exampleWithData } from "../answer.js";
import { provenData } from "../evidence/data-proof.js";
import { dataPrompt } from "../prompts/data.js";
import type { SearchMetadata } from "../report.js";
import type { Evidence } from "../report-evidence.js";
import type { Shape } from "../shape/shape.js";
import { pointer } from "../shape/sub-schemas.js";
import type { Question } from "./ask.js";
import type { Session } from "./session.js";

/** How an answer is read; with a shape, data of it belongs to the answer. */
export function formOf(
  shape: Shape | undefined,
  example: string,
): Pick<Question<Answer>, "schema" | "example" | "otherwise" | "fromText"> {
  if (shape === undefined) return { schema: AnswerSchema, example, fromText: answerFromText };
  const schema = answerSchemaOf(shape);
  // A report is worth having without its data.
  return { schema, example: exampleWithData(example, shape), otherwise: AnswerSchema, fromText: answerFromText };
}

/** The section of a prompt that asks for data; empty where none is wanted. */
export function dataSection(
  shape: Shape | undefined,
  { deps: { prompts } }: Pick<Session, "deps">,
  boundary: () => string,
): string {
  return shape === undefined ? "" : dataPrompt(prompts, shape.json, boundary());
}

/** What a report says of the data that was wanted. */
interface DataFacts {
  report: { data?: unknown };
  metadata: Pick<SearchMetadata, "data_proof" | "missing">;
  warnings: string[];
}

/** The data of an answer, without what nothing proves, and what a reader must know of it. */
export function dataFacts(
  shape: Shape | undefined,
  answer: Partial<Pick<Answer, "data">> & Pick<Answer, "dataClaims">,
  { claims }: Pick<Evidence, "claims">,
): DataFacts {
  if (shape === undefined) return { report: {}, metadata: {}, warnings: [] };
  const read = shape.schema.safeParse(answer.data);
  if (!read.success) {
    const why = answer.data === undefined ? "there is none" : firstIssue(read.error);
    const warnings = [`The model gave no data that fits the schema: ${why}.`];
    return { report: { data: null }, metadata: { data_proof: {}, missing: [""] }, warnings };
  }
  const fits = (data: unknown) => shape.schema.safeParse(data).success;
  const { data, proof, missing } = provenData({ ...answer, data: read.data }, claims, fits);
  return { report: { data }, metadata: { data_proof: proof, missing }, warnings: [] };
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  return `${pointer(issue?.path ?? []) || "the whole"}: ${issue?.message ?? "it does not fit"}`;
}
