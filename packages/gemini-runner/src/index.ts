export { type ExecutionReason, RunnerError, type RunnerErrorCode, type RunnerErrorOptions } from "./errors.js";
export type {
  AgentRun,
  GeminiRunner,
  ModelUse,
  PrewarmRequest,
  RunEvent,
  RunRequest,
  RunResult,
  RunSource,
  ToolFailure,
} from "./events.js";
export { resultOf } from "./result-of.js";
