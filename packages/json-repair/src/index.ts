export {
  type AcceptedAnswer,
  type AttemptEvent,
  type AttemptOptions,
  type Generation,
  generateJson,
  jsonAttempts,
} from "./attempts.js";
export { type Attempt, describeIssues, JsonExtractError, type JsonExtractErrorCode } from "./errors.js";
export {
  type ExtractOptions,
  type ExtractResult,
  type ExtractSuccess,
  extractAll,
  extractJson,
  parseJson,
  type Repair,
  type RepairKind,
} from "./extract.js";
export { createPartialParser, type PartialParser } from "./partial.js";
export { type Repaired, type RepairOptions, repairJson } from "./repair.js";
export type { SchemaIssue, StandardSchemaV1 } from "./standard-schema.js";
