import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { json, type ModelServer, type Scenario, startModelServer } from "@x/gemini-runner/testing";
import { saysTheSame } from "../rig/answer-text.js";
import { createSandbox, type Sandbox } from "../rig/sandbox.js";
import { ServerProcess } from "../rig/server-process.js";

/** The five tools. The last two are asked about a deep search that is under way. */
export const TOOLS = ["search", "deep_search", "deep_research", "research_result", "research_cancel"] as const;
export type ToolName = (typeof TOOLS)[number];

/** Where nothing else is said: what ends before anybody could cancel it is not cancelled. */
export const MOST_TOOLS: readonly ToolName[] = ["search", "deep_search", "deep_research", "research_result"];

/** What a tool answered, read. */
export interface Answer {
  success: boolean;
  status?: string;
  job_id?: string;
  result?: string;
  report?: string;
  metadata?: Record<string, unknown>;
  error?: { code: string; message: string; details?: string };
}

/** A server with a client, and what both did that they should not have. */
export interface Connected {
  server: ServerProcess;
  client: Client;
}

/** How a server is reached, and with it how it runs the CLI: over HTTP its runs share a process of it. */
export type Way = "stdio" | "http";

/** One cell's own machine: sandbox, model server, CLI, servers. */
export interface World {
  way: Way;
  sandbox: Sandbox;
  model: ModelServer;
  /** Environment of the servers that are started from here on. */
  env: Record<string, string>;
  /** Everything that went wrong so far. */
  problems: string[];
  connect(): Promise<Connected>;
  /** Calls a tool by its own name and arguments; checks that the answer is well-formed. */
  call(client: Client, name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
  /** Asks a question the way of this column: `research_result` through a deep search that was handed over. */
  ask(client: Client, tool: ToolName, signal?: AbortSignal): Promise<Answer>;
  /** Starts a deep search, or the tool that is named, and gives its job at once. */
  begin(client: Client, tool?: ToolName): Promise<string>;
  /** What is to be undone at the end. */
  later: (() => Promise<void>)[];
  /** Ends a server by the end of its stdin, over HTTP by SIGTERM, if it is still there, and looks at what it said. */
  end(connected: Connected): Promise<void>;
  /** Ends every server, then the model server. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

const QUESTION = "How high are the tides?";
export const REPORT = "# Tides\n\nTides are up to 16 metres high in the Bay of Fundy.";

/** A model that answers well and at once. */
export const wellAnswered: Scenario = ({ kind }) =>
  kind === "main" ? json({ success: true, verified: true, report: REPORT, metadata: {} }) : undefined;

/** A call may take as long as the limit of a cell and more. */
const CLIENT_TIMEOUT_MS = 180_000;
/** How long a server may take to go when its client is gone: a second, and as much again for a busy machine. */
export const EXIT_LIMIT_MS = 2_000;

const RECORD = ".json";
const LOOK_MS = 20;

export async function createWorld(way: Way): Promise<World> {
  const sandbox = await createSandbox();
  const model = await startModelServer({ scenario: wellAnswered });
  await sandbox.installCli();
  return new CellWorld(way, sandbox, model);
}

class CellWorld implements World {
  readonly way: Way;
  readonly sandbox: Sandbox;
  readonly model: ModelServer;
  readonly env: Record<string, string>;
  readonly problems: string[] = [];
  readonly later: World["later"] = [];
  readonly #connected: Connected[] = [];

  constructor(way: Way, sandbox: Sandbox, model: ModelServer) {
    this.way = way;
    this.sandbox = sandbox;
    this.model = model;
    this.env = {
      ...sandbox.env,
      ...model.env,
      MAX_WAIT_MS: "0",
      DEEP_SEARCH_MAX_ITERATIONS: "2",
      JSON_MAX_RETRIES: "2",
      GEMINI_SEARCH_TIMEOUT: "60000",
    };
  }

  async connect(): Promise<Connected> {
    const server = new ServerProcess(this.env, this.way === "stdio" ? [] : ["http", "--port", "0"]);
    const client = new Client({ name: "proof", version: "1" });
    const pair = { server, client };
    this.#connected.push(pair);
    await client.connect(this.way === "stdio" ? server : await transportTo(server));
    return pair;
  }

  async call(client: Client, name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Answer> {
    const options = { timeout: CLIENT_TIMEOUT_MS, ...(signal && { signal }) };
    const result = (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
    const [content] = result.content;
    if (result.content.length !== 1 || content?.type !== "text") throw new Error(`${name} did not answer one text`);
    const answer = (result.structuredContent ?? JSON.parse(content.text)) as Answer;
    if ((result.isError === true) === answer.success)
      this.problems.push(`isError is ${result.isError}, success ${answer.success}`);
    if (!saysTheSame(content.text, answer)) this.problems.push("the text and the structured answer differ");
    return answer;
  }

  async ask(client: Client, tool: ToolName, signal?: AbortSignal): Promise<Answer> {
    switch (tool) {
      case "search":
      case "deep_search":
        return this.call(client, tool, { query: QUESTION }, signal);
      case "deep_research":
        return this.call(client, tool, { topic: QUESTION }, signal);
      default: {
        const begun = await this.#begin(client);
        // What fails at once may do so before it can be handed over.
        const hasFailed = tool === "research_result" && begun.error !== undefined;
        return hasFailed ? begun : this.call(client, tool, { job_id: jobOf(begun) }, signal);
      }
    }
  }

  async begin(client: Client, tool: ToolName = "deep_search"): Promise<string> {
    return tool === "deep_research" ? this.#beginOlder(client) : jobOf(await this.#begin(client, tool));
  }

  #begin(client: Client, tool: ToolName = "deep_search"): Promise<Answer> {
    return this.call(client, tool, { query: QUESTION, wait_seconds: 0 });
  }

  async end(pair: Connected): Promise<void> {
    const { problems } = this;
    const { server } = pair;
    this.#connected.splice(this.#connected.indexOf(pair), 1);
    if (server.child.exitCode === null && server.child.signalCode === null) {
      const ended = await (this.way === "stdio" ? server.end() : terminated(pair));
      if (ended === undefined) problems.push("the server did not end when its client was gone; it was killed");
      else if (ended.ms > EXIT_LIMIT_MS) problems.push(`the server took ${Math.round(ended.ms)} ms to end`);
      if (ended && ended.exit.code !== 0)
        problems.push(`the server ended with ${ended.exit.code ?? ended.exit.signal}`);
    }
    if (server.foreign.length > 0) problems.push(`stdout had ${JSON.stringify(server.foreign[0]?.slice(0, 80))}`);
    const strange = server.stderr.split("\n").find((line) => /^\s+at |^\w*Error\b|UnhandledPromise/.test(line));
    if (strange !== undefined) problems.push(`stderr had ${JSON.stringify(strange.slice(0, 120))}`);
  }

  /** The older tool gives its job when the client's time is over, and here that has no end: its record tells. */
  async #beginOlder(client: Client): Promise<string> {
    // Its server may go before it answers.
    this.call(client, "deep_research", { topic: QUESTION }).catch(() => {});
    for (;;) {
      const names = await readdir(path.join(this.sandbox.config, "jobs")).catch(() => []);
      const record = names.find((name) => name.endsWith(RECORD));
      if (record !== undefined) return record.slice(0, -RECORD.length);
      await delay(LOOK_MS);
    }
  }

  async close(): Promise<void> {
    for (const pair of [...this.#connected]) await this.end(pair);
    await this.model.close();
  }

  async remove(): Promise<void> {
    for (const undo of this.later.reverse()) await undo();
    await this.sandbox.remove();
  }
}

async function transportTo(server: ServerProcess): Promise<StreamableHTTPClientTransport> {
  const [url] = await server.said(/http:\/\/\S+\/mcp/);
  // Connections that are kept for the next call would look like descriptors that stay.
  const fetchOnce: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("connection", "close");
    return fetch(input, { ...init, headers });
  };
  return new StreamableHTTPClientTransport(new URL(url), { fetch: fetchOnce });
}

async function terminated({ server, client }: Connected): ReturnType<ServerProcess["end"]> {
  await client.close();
  const from = performance.now();
  server.child.kill("SIGTERM");
  return server.exitFrom(from);
}

function jobOf({ job_id, status, error }: Answer): string {
  if (job_id === undefined) throw new Error(`no job was handed over: ${status ?? JSON.stringify(error)}`);
  return job_id;
}
