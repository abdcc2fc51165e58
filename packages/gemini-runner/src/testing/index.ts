/// <reference types="node" preserve="true" />
export {
  type Answer,
  callTool,
  delay,
  empty,
  fetchPage,
  filler,
  finish,
  type Grounding,
  grounded,
  huge,
  json,
  page,
  raw,
  reset,
  search,
  silence,
  type TextOptions,
  text,
  thought,
  type UrlMetadata,
} from "./answers.js";
export { type HttpErrorName, type HttpErrorOptions, httpError } from "./http-error.js";
export type { Login } from "./login.js";
export type { ModelCall, ModelCallKind, ModelContent, ModelPart, ModelRequestBody } from "./model-call.js";
export { type ModelServer, type ModelServerOptions, startModelServer } from "./model-server.js";
export { type ResearchOptions, type ResearchPage, research } from "./research.js";
export type { Reply, Scenario } from "./scenario.js";
