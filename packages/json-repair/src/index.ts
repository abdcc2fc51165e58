export { extractAll, extractJson, parseJson } from "./extract.js";
export { type Repaired, type RepairOptions, repairJson } from "./repair-json.js";
export type { ExtractOptions, ExtractResult, ExtractSuccess, Repair, RepairKind } from "./result.js";
export { type Attempt, describeIssues, JsonExtractError, type JsonExtractErrorCode } from "./result.js";
export type { AcceptedAnswer, AttemptEvent, AttemptOptions, Generation } from "./retry/attempts.js";
export { generateJson, jsonAttempts } from "./retry/attempts.js";
export type { SchemaIssue, StandardSchemaV1 } from "./schema/fit.js";
export type { Partially, PartialParser, PartialParserOptions, PartialUpdate, Path } from "./stream/partial-parser.js";
export { createPartialParser } from "./stream/partial-parser.js";
