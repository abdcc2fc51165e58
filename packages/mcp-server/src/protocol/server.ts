import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ErrorCode, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Log } from "../host/log.js";
import { toFailure } from "../jobs/failure.js";
import type { Jobs } from "../jobs/jobs.js";
import { failedAnswer } from "../tools/answer.js";
import { readInput } from "../tools/arguments.js";
import { TOOLS } from "../tools/index.js";
import { type Tool, type ToolResult, textResult, toResult } from "../tools/tool.js";
import { limitsOf } from "./client-limits.js";
import { PROMPTS, promptText } from "./prompts.js";
import { listReports, RESOURCE_TEMPLATES, readReport } from "./resources.js";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./server-info.js";
import { clientNameIn } from "./stateless.js";

export interface ServerParts {
  jobs: Jobs;
  log: Log;
  /** The person's own limit for a call. `undefined`: by client; 0: none. */
  maxWaitMs?: number | undefined;
  /** Default: all of ours. */
  tools?: readonly Tool[];
  /** Hears the id of each request that its client has cancelled, or left unanswered: it gets no response. */
  cancelled?: (id: RequestId) => void;
}

/** The specification's code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

type Params = Record<string, unknown> | undefined;
type Extra = Parameters<NonNullable<Server["fallbackRequestHandler"]>>[1];

/** The text of a prompt with its arguments filled in. */
function filledPrompt(params: Params): string {
  const { name, arguments: args = {} } = params ?? {};
  if (typeof name !== "string") throw invalidParams("name must be a text");
  if (typeof args !== "object" || args === null || !Object.values(args).every((value) => typeof value === "string")) {
    throw invalidParams("arguments must be an object of texts");
  }
  const prompt = promptText(name, args as Record<string, string>);
  if ("problem" in prompt) throw invalidParams(prompt.problem);
  return prompt.text;
}

function invalidParams(message: string): Error {
  return protocolError(ErrorCode.InvalidParams, message);
}

/** An error of the protocol. The SDK's own puts its code into the message, where every client puts it again. */
function protocolError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

/** One server for one client; the jobs behind it are shared. */
export function createServer({ jobs, log, maxWaitMs, tools = TOOLS, cancelled }: ServerParts): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });

  // Not under the SDK's schemas: they answer what does not fit as an internal error with a dump of their own, and refuse
  // a tool's `arguments` that are no object, which models send, before the tool can say what it expected.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (cancelled !== undefined)
      extra.signal.addEventListener("abort", () => cancelled(extra.requestId), { once: true });
    switch (method) {
      case "tools/list":
        return { tools: tools.map((tool) => tool.definition) };
      case "tools/call":
        return call(params, extra);
      case "resources/templates/list":
        return { resourceTemplates: RESOURCE_TEMPLATES };
      case "resources/list":
        return { resources: await listReports(jobs) };
      case "resources/read":
        return { contents: [await report(params)] };
      case "prompts/list":
        return { prompts: PROMPTS };
      case "prompts/get":
        return { messages: [{ role: "user", content: { type: "text", text: filledPrompt(params) } }] };
      default:
        // In the words of the SDK, which are those of the greeting too.
        throw protocolError(ErrorCode.MethodNotFound, "Method not found");
    }
  };

  server.onerror = (error) => log("debug", `Protocol: ${error.message}`);
  return server;

  async function call(params: Params, { signal, _meta, sendNotification }: Extra): Promise<ToolResult> {
    const tool = tools.find((candidate) => candidate.definition.name === params?.["name"]);
    if (tool === undefined) {
      const known = tools.map((candidate) => candidate.definition.name).join(", ");
      throw invalidParams(`Unknown tool ${JSON.stringify(params?.["name"])}; known are ${known}`);
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
  }

  async function report(params: Params) {
    const uri = params?.["uri"];
    if (typeof uri !== "string") throw invalidParams("uri must be a text such as report://{job_id}");
    const found = await readReport(jobs, uri);
    if (found === undefined) throw protocolError(RESOURCE_NOT_FOUND, `There is no report ${uri}`, { uri });
    return found;
  }

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
