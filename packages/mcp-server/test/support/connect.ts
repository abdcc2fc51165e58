import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createServer } from "../../src/protocol/server.js";
import { type FakeResearch, fakeResearch } from "./fake-research.js";
import { createMemoryFiles, type MemoryFiles } from "./memory-files.js";
import { type PersonsJobs, personsJobs } from "./persons-jobs.js";
import { processOf } from "./process-of.js";

export interface Connected {
  client: Client;
  jobs: PersonsJobs;
  research: FakeResearch;
  log: string[];
}

/** The official client, connected in memory to a server whose research is told what to say. */
export async function connect(
  options: {
    name?: string;
    maxWaitMs?: number;
    clientTimeoutMs?: number;
    protocolVersion?: string;
    files?: MemoryFiles;
    pid?: number;
    isAlive?: () => boolean;
  } = {},
): Promise<Connected> {
  const research = fakeResearch();
  const log: string[] = [];
  const write = (level: string, message: string) => void log.push(`[${level.toUpperCase()}] ${message}`);
  const jobs = personsJobs({
    research: async () => research,
    files: options.files ?? createMemoryFiles(),
    log: write,
    own: processOf(options.pid ?? 1),
    isGone: () => options.isAlive?.() === false,
  });
  const { maxWaitMs, clientTimeoutMs, protocolVersion } = options;
  const server = createServer({ jobs, log: write, waits: { maxWaitMs, clientTimeoutMs } });
  const client = new Client({ name: options.name ?? "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  if (protocolVersion !== undefined) speakAs(theirs, protocolVersion);
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  await client.listTools();
  return { client, jobs, research, log };
}

/** Makes a client ask for an older revision than it would. */
function speakAs(transport: InMemoryTransport, protocolVersion: string): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ("method" in message && message.method === "initialize")
      Object.assign(message.params ?? {}, { protocolVersion });
    return send(message, options);
  };
}

/** What a tool answered: the structure where there is one, else the text, parsed. */
export function answerOf(result: unknown): { job_id?: string; [key: string]: unknown } {
  const { structuredContent } = result as { structuredContent?: { job_id?: string } };
  return structuredContent ?? JSON.parse(textOf(result));
}

/** The one text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text: string }[] };
  if (content.length !== 1 || content[0]?.type !== "text") throw new Error("expected one text");
  return content[0].text;
}
