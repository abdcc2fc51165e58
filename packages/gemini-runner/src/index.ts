export { type Cli, type FindCliOptions, findCli } from "./availability.js";
export type { Environment } from "./environment.js";
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
export type { GeminiRunnerOptions } from "./options.js";
export type { McpServer, McpServers } from "./policy.js";
export { resultOf } from "./result-of.js";
export { type RunOptions, run } from "./run.js";
export { createGeminiRunner } from "./runner.js";
export { readSignIn, type SignIn } from "./sign-in.js";
