import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { type Client, type ClientLimits, limitsOf, type WaitSettings } from "../clients/client-limits.js";
import { Patience } from "../clients/patience.js";
import type { Log } from "../host/log.js";
import { MAX_ROUNDS } from "../host/settings.js";
import { BusyError } from "../jobs/busy.js";
import { type Failure, toFailure } from "../jobs/failure.js";
import type { Jobs } from "../jobs/jobs.js";
import { QueueAwayError } from "../queue/away.js";
import { outgoing, outgoingText } from "../report/outgoing.js";
import { plainText, shortLine } from "../text/plain-text.js";
import { definitionsFor } from "../tools/definitions/index.js";
import {
  type Call,
  type FindOffload,
  failedAnswer,
  readInput,
  TOOLS,
  type Tool,
  type ToolResult,
  toResult,
} from "../tools/index.js";
import { arrivalOf } from "./arrival.js";
import { callEndOf } from "./call-end.js";
import { clientOf } from "./handshake.js";
import { PROMPTS, promptText } from "./prompts.js";
import { RESOURCE_TEMPLATES } from "./resource-templates.js";
import { listReports, readReport } from "./resources.js";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./server-info.js";
import { clientIn } from "./stateless.js";

export interface ServerParts {
  jobs: Jobs;
  log: Log;
  /** How long calls wait. Default: as suits each client. */
  waits?: WaitSettings;
  /** Rounds that a deep search may be asked for. Default 20. */
  maxRounds?: number;
  /** Where long reports are worked on. Default: in place. */
  offload?: FindOffload;
  /** Folders that documents may be named in, and whether the client's own are among them. Default: none. */
  roots?: { folders: readonly string[]; ofClient: boolean };
  /** Is told of each call that asks for a research; throws a `BusyError` when there are too many. */
  countCall?: () => Promise<void> | void;
  /** Hears of each call of a tool that failed before there was a research, and why. */
  refused?: (failure: Failure, error?: unknown) => void;
  /** Default: all of ours. */
  tools?: readonly Tool[];
  /** Names of those that clients may see and call. Default: all. */
  shown?: readonly string[] | undefined;
  /** Hears the id of each request that its client has cancelled, or left unanswered: it gets no response. */
  cancelled?: (id: RequestId) => void;
}

/** A client that has not said its folders by then has none. */
const ROOTS_MS = 5_000;
/** The specification's code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

type Params = Record<string, unknown> | undefined;
type Extra = Parameters<NonNullable<Server["fallbackRequestHandler"]>>[1];

/** One server for one client; the jobs behind it are shared. */
export function createServer(parts: ServerParts): Server {
  const server = new ClientServer(parts.log);
  const calls = new ToolCalls(parts, server);
  const { jobs, cancelled } = parts;

  // Not under the SDK's schemas: they answer what does not fit as an internal error with a dump of their own, and refuse
  // a tool's `arguments` that are no object, which models send, before the tool can say what it expected.
  const answer = async (method: string, params: Params, extra: Extra) => {
    switch (method) {
      case "tools/list":
        return { tools: calls.definitions(params) };
      case "tools/call":
        return calls.call(params, extra);
      case "resources/templates/list":
        return { resourceTemplates: RESOURCE_TEMPLATES };
      case "resources/list":
        return { resources: await listReports(jobs) };
      case "resources/read":
        return { contents: [await report(parts, params)] };
      case "prompts/list":
        return { prompts: PROMPTS };
      case "prompts/get":
        return { messages: [{ role: "user", content: { type: "text", text: filledPrompt(params) } }] };
      default:
        // In the words of the SDK, which are those of the greeting too.
        throw protocolError(ErrorCode.MethodNotFound, "Method not found");
    }
  };
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (cancelled !== undefined)
      extra.signal.addEventListener("abort", () => cancelled(extra.requestId), { once: true });
    try {
      return await answer(method, params, extra);
    } catch (error) {
      if (!(error instanceof ProtocolError)) parts.log("error", unexpected(method, error));
      throw asProtocolError(error);
    }
  };
  return server;
}

/** The SDK's server, which also knows who its client is and whether the connection is gone. */
class ClientServer extends Server {
  client: Client = {};
  isClosed = false;
  /** When each call came that is not answered yet, by its id. */
  readonly #arrivedMs = new Map<RequestId, number>();

  constructor(log: Log) {
    super(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
    this.onerror = (error) => log("debug", `Protocol: ${error.message}`);
  }

  override async connect(transport: Transport): Promise<void> {
    const { onclose, onmessage } = transport;
    // The SDK calls these first: a call that ends with its connection must know why.
    transport.onclose = () => {
      this.isClosed = true;
      onclose?.();
    };
    transport.onmessage = (message, extra) => {
      if ("method" in message && message.method === "initialize") this.client = clientOf(message);
      if ("method" in message && message.method === "tools/call" && "id" in message)
        this.#arrivedMs.set(message.id, arrivalOf(message));
      onmessage?.(message, extra);
    };
    await super.connect(transport);
  }

  /** When a call came; now, where that is not known. It is asked for once. */
  takeArrival(id: RequestId): number {
    const arrivedMs = this.#arrivedMs.get(id) ?? performance.now();
    this.#arrivedMs.delete(id);
    return arrivedMs;
  }
}

/** The calls of tools over one connection. */
class ToolCalls {
  readonly #parts: ServerParts;
  readonly #tools: readonly Tool[];
  readonly #server: ClientServer;
  readonly #patience = new Patience();

  constructor(parts: ServerParts, server: ClientServer) {
    this.#parts = parts;
    const { tools = TOOLS, shown } = parts;
    this.#tools = tools.filter(({ definition }) => shown?.includes(definition.name) ?? true);
    this.#server = server;
  }

  definitions(params: Params): object[] {
    const definitions = this.#tools.map(({ definition }) => definition);
    return definitionsFor(this.#limits(params), { definitions });
  }

  async call(params: Params, { signal, requestId, _meta, sendNotification }: Extra): Promise<ToolResult> {
    const arrivedMs = this.#server.takeArrival(requestId);
    const tool = this.#tools.find((candidate) => candidate.definition.name === params?.["name"]);
    if (tool === undefined) {
      const known = this.#tools.map((candidate) => candidate.definition.name).join(", ");
      throw invalidParams(
        `Unknown tool ${shortLine(String(JSON.stringify(params?.["name"])), 100)}; known are ${known}`,
      );
    }
    const progressToken = _meta?.progressToken;
    const ended = this.#endOf(signal, arrivedMs);
    try {
      return await this.#answer(tool, params?.["arguments"] ?? undefined, {
        jobs: this.#parts.jobs,
        offload: this.#parts.offload,
        limits: this.#limits(params),
        roots: () => this.#roots(),
        maxRounds: this.#parts.maxRounds ?? MAX_ROUNDS,
        signal: ended,
        arrivedMs,
        progress:
          progressToken === undefined
            ? undefined
            : (progress, message) =>
                sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } }),
      });
    } finally {
      if (!ended.aborted) this.#patience.learn(performance.now() - arrivedMs, undefined);
    }
  }

  #limits(params: Params): ClientLimits {
    const client = clientIn(params) ?? this.#server.client;
    return this.#patience.limits(limitsOf(client, this.#parts.waits));
  }

  /** The folders that the person allowed: by the setting, and in a client that says which it works in. */
  async #roots(): Promise<string[]> {
    const { folders, ofClient } = this.#parts.roots ?? { folders: [], ofClient: false };
    if (!ofClient || this.#server.getClientCapabilities()?.roots === undefined) return [...folders];
    const { roots } = await this.#server.listRoots(undefined, { timeout: ROOTS_MS }).catch(() => ({ roots: [] }));
    return [...folders, ...roots.flatMap(({ uri }) => localPath(uri))];
  }

  /** The signal of a call, with a `CallEnd` as its reason. */
  #endOf(signal: AbortSignal, arrivedMs: number): AbortSignal {
    const ended = new AbortController();
    const end = () => {
      const said = this.#server.isClosed ? "closed" : callEndOf(signal.reason);
      const tookMs = performance.now() - arrivedMs;
      const how = this.#patience.endOf(tookMs, said);
      // At once: the next call may be on its way.
      this.#patience.learn(tookMs, how);
      ended.abort(how);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return ended.signal;
  }

  async #answer(tool: Tool, args: unknown, call: Call): Promise<ToolResult> {
    const { log, refused } = this.#parts;
    const { name, inputSchema } = tool.definition;
    const read = readInput(inputSchema, args);
    const failed = (failure: Failure, error?: unknown) => {
      refused?.(failure, error);
      return tool.failed?.(failure) ?? toResult(failedAnswer(failure), call.limits);
    };
    if (!read.ok) return failed({ code: "INVALID_INPUT", message: read.message });
    if (read.ignored.length > 0) log("debug", `${name}: ignored the unknown input ${read.ignored.join(", ")}`);
    try {
      if (tool.asksNothing !== true) await this.#parts.countCall?.();
      return await tool.call(read.input, call);
    } catch (error) {
      const failure = toFailure(error);
      // Whoever floods the server with calls must not flood its log.
      const isExpected = error instanceof BusyError || failure.code === "INVALID_INPUT";
      if (!isExpected) log("error", unexpected(name, error));
      return failed(failure, error);
    }
  }
}

/** The folder that a client names; none where it is not on this machine. */
function localPath(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}

async function report({ jobs, offload }: ServerParts, params: Params) {
  const uri = params?.["uri"];
  if (typeof uri !== "string") throw invalidParams("uri must be a text such as report://{job_id}");
  const found = await readReport(jobs, uri, offload);
  if (found === undefined)
    throw protocolError(RESOURCE_NOT_FOUND, `There is no report ${shortLine(uri, 200)}`, { uri: shortLine(uri, 200) });
  return found;
}

/** The text of a prompt with its arguments filled in. */
function filledPrompt(params: Params): string {
  const { name, arguments: args = {} } = params ?? {};
  if (typeof name !== "string") throw invalidParams("name must be a text");
  if (typeof args !== "object" || args === null || !Object.values(args).every((value) => typeof value === "string")) {
    throw invalidParams("arguments must be an object of texts");
  }
  const prompt = promptText(name, args as Record<string, string>);
  if ("problem" in prompt) throw invalidParams(prompt.problem);
  return plainText(prompt.text);
}

/** For the log. What its callers are not told stands there, too. */
function unexpected(what: string, error: unknown): string {
  const why = error instanceof QueueAwayError ? `: ${error.why}` : "";
  return `${what} failed unexpectedly: ${toFailure(error).message}${why}`;
}

/** What nobody expected leaves the server as clean as all else. */
function asProtocolError(error: unknown): Error {
  if (error instanceof ProtocolError) return error;
  return protocolError(ErrorCode.InternalError, toFailure(error).message);
}

function invalidParams(message: string): Error {
  return protocolError(ErrorCode.InvalidParams, message);
}

/** An error of the protocol. The SDK's own puts its code into the message, where every client puts it again. */
class ProtocolError extends Error {}

function protocolError(code: number, message: string, data?: unknown): Error {
  const error = new ProtocolError(outgoingText(message));
  return Object.assign(error, { code, ...(data !== undefined && { data: outgoing(data) }) });
}
