/// <reference types="node" preserve="true" />

export type { RunnerCapabilities, ToolCapability } from "./capabilities.js";
export type { Environment } from "./cli/environment.js";
export { type Cli, type FindCliOptions, findCli, findOtherClis, type OtherCli } from "./cli/find-cli.js";
export { readSignIn, type SignIn } from "./cli/sign-in.js";
export type { KeyPlace } from "./errors/key-place.js";
export {
  type ExecutionReason,
  RunnerError,
  type RunnerErrorCode,
  type RunnerErrorOptions,
} from "./errors/runner-error.js";
export type {
  AgentRun,
  Attribution,
  GeminiRunner,
  ModelUse,
  PrewarmRequest,
  RunEvent,
  RunRequest,
  RunResult,
  RunSource,
  ToolFailure,
} from "./events.js";
export type { McpEndpoint, McpProgram, McpServer, McpServers, McpServerUse } from "./mcp-servers.js";
export type { GeminiRunnerOptions } from "./options.js";
export { resultOf } from "./result-of.js";
export { type RunOptions, run } from "./run/run.js";
export { createGeminiRunner } from "./run/runner.js";
