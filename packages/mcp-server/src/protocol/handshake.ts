import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { type Client, limitsOf } from "../clients/client-limits.js";
import { definitionsFor } from "../tools/definitions/index.js";
import { PROMPTS } from "./prompts.js";
import { RESOURCE_TEMPLATES } from "./resource-templates.js";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./server-info.js";
import { clientIn } from "./stateless.js";

/** As the SDK has them; the first is offered to a client that asks for an unknown one. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;

const METHOD_NOT_FOUND = -32_601;

/** Who asks, as its `initialize` says. */
export function clientOf(initialize: Pick<JSONRPCRequest, "params"> | undefined): Client {
  const { protocolVersion, clientInfo } = initialize?.params ?? {};
  const { name } = (isObject(clientInfo) ? clientInfo : {}) as { name?: unknown };
  return {
    name: typeof name === "string" ? name : undefined,
    protocolVersion: typeof protocolVersion === "string" ? agreed(protocolVersion) : undefined,
  };
}

/**
 * The answer to a request that every host sends before there is any work: the same as the server's own, without
 * loading it. `undefined`: the server must be asked.
 *
 * @param client Who asks, where the request does not say it.
 * @param shown Names of the tools that it may see. Default: all.
 */
export function greet(
  { method, params }: JSONRPCRequest,
  client: Client,
  shown?: readonly string[],
): { result: object } | { error: object } | undefined {
  switch (method) {
    case "initialize":
      return isWellFormed(params) ? { result: initializeResult(params.protocolVersion) } : undefined;
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: definitionsFor(limitsOf(clientIn(params) ?? client), { shown }) } };
    case "prompts/list":
      return { result: { prompts: PROMPTS } };
    case "resources/templates/list":
      return { result: { resourceTemplates: RESOURCE_TEMPLATES } };
    // Asked first by clients of the stateless protocol, which then fall back.
    case "server/discover":
      return { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
    default:
      return undefined;
  }
}

function initializeResult(asked: string) {
  return {
    protocolVersion: agreed(asked),
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}

function agreed(asked: string): string {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? PROTOCOL_VERSIONS[0];
}

function isWellFormed(params: JSONRPCRequest["params"]): params is { protocolVersion: string } {
  const { protocolVersion, capabilities, clientInfo } = params ?? {};
  const { name, version } = (isObject(clientInfo) ? clientInfo : {}) as { name?: unknown; version?: unknown };
  return (
    typeof protocolVersion === "string" &&
    isObject(capabilities) &&
    typeof name === "string" &&
    typeof version === "string"
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
