import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { failedAnswer } from "./answer.js";
import { limitsOf } from "./clients.js";
import { toFailure } from "./failure.js";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./identity.js";
import { readInput } from "./input.js";
import type { Jobs } from "./jobs.js";
import type { Log } from "./log.js";
import { PROMPTS, promptText } from "./prompt-list.js";
import { listReports, RESOURCE_TEMPLATES, readReport } from "./resources.js";
import { clientNameIn } from "./stateless.js";
import { TOOLS } from "./tools/index.js";
import { type Tool, type ToolResult, textResult, toResult } from "./tools/tool.js";

export interface ServerParts {
  jobs: Jobs;
  log: Log;
  /** The person's own limit for a call. `undefined`: by client; 0: none. */
  maxWaitMs?: number | undefined;
  /** Default: all of ours. */
  tools?: readonly Tool[];
}

/** The specification's code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

/** An error of the protocol. The SDK's own puts its code into the message, where every client puts it again. */
function protocolError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

/** One server for one client; the jobs behind it are shared. */
export function createServer({ jobs, log, maxWaitMs, tools = TOOLS }: ServerParts): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => tool.definition) }));

  // Not under the SDK's schema for it: that refuses `arguments` that are no object, which models send, with a dump
  // of its own before the tool can say what it expected.
  server.fallbackRequestHandler = async ({ method, params }, { signal, _meta, sendNotification }) => {
    // In the words of the SDK, which are those of the greeting too.
    if (method !== "tools/call") throw protocolError(ErrorCode.MethodNotFound, "Method not found");
    const tool = tools.find((candidate) => candidate.definition.name === params?.["name"]);
    if (tool === undefined) {
      const known = tools.map((candidate) => candidate.definition.name).join(", ");
      throw protocolError(
        ErrorCode.InvalidParams,
        `Unknown tool ${JSON.stringify(params?.["name"])}; known are ${known}`,
      );
    }
    const progressToken = _meta?.progressToken;
    return callTool(tool, params?.["arguments"] ?? undefined, {
      jobs,
      limits: limitsOf(clientNameIn(_meta) ?? server.getClientVersion()?.name, maxWaitMs),
      signal,
      progress:
        progressToken === undefined
          ? undefined
          : (progress, message) =>
              sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } }),
    });
  };

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: await listReports(jobs) }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const report = await readReport(jobs, params.uri);
    if (report === undefined) throw protocolError(RESOURCE_NOT_FOUND, `There is no report ${params.uri}`, params);
    return { contents: [report] };
  });

  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = promptText(params.name, params.arguments ?? {});
    if ("problem" in prompt) throw protocolError(ErrorCode.InvalidParams, prompt.problem);
    return { messages: [{ role: "user" as const, content: { type: "text" as const, text: prompt.text } }] };
  });

  server.onerror = (error) => log("debug", `Protocol: ${error.message}`);
  return server;

  async function callTool(tool: Tool, args: unknown, call: Parameters<Tool["call"]>[1]): Promise<ToolResult> {
    const { name, inputSchema } = tool.definition;
    const fail = name === "deep_research" ? textResult : toResult;
    const read = readInput(inputSchema, args);
    if (!read.ok) return fail(failedAnswer({ code: "INVALID_INPUT", message: read.message }));
    if (read.ignored.length > 0) log("debug", `${name}: ignored the unknown input ${read.ignored.join(", ")}`);
    try {
      return await tool.call(read.input, call);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === "INVALID_INPUT") return fail(failedAnswer(failure));
      log("error", `${name} failed unexpectedly: ${failure.message}`);
      return fail(failedAnswer(name === "deep_research" ? { ...failure, code: "UNEXPECTED_ERROR" } : failure));
    }
  }
}
