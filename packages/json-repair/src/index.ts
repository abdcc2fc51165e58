export { type Attempt, describeIssues, JsonExtractError, type JsonExtractErrorCode } from "./errors.js";
export { extractAll, extractJson, parseJson } from "./extract.js";
export { type Repaired, type RepairOptions, repairJson } from "./repair-json.js";
export type { ExtractOptions, ExtractResult, ExtractSuccess, Repair, RepairKind } from "./result.js";
export {
  type AcceptedAnswer,
  type AttemptEvent,
  type AttemptOptions,
  type Generation,
  generateJson,
  jsonAttempts,
} from "./retry/attempts.js";
export type { SchemaIssue, StandardSchemaV1 } from "./schema/standard-schema.js";
export {
  createPartialParser,
  type Partially,
  type PartialParser,
  type PartialParserOptions,
  type PartialUpdate,
} from "./stream/partial-parser.js";
export type { Path } from "./stream/strict-reader.js";
