export { type Attempt, describeIssues, JsonExtractError, type JsonExtractErrorCode } from "./errors.js";
export { extractAll, extractJson, parseJson } from "./extract.js";
export { createPartialParser, type PartialParser } from "./partial-parser.js";
export { type Repaired, type RepairOptions, repairJson } from "./repair-json.js";
export type { Repair, RepairKind } from "./repairs.js";
export type { ExtractOptions, ExtractResult, ExtractSuccess } from "./result.js";
export {
  type AcceptedAnswer,
  type AttemptEvent,
  type AttemptOptions,
  type Generation,
  generateJson,
  jsonAttempts,
} from "./retry/attempts.js";
export type { SchemaIssue, StandardSchemaV1 } from "./schema/standard-schema.js";
