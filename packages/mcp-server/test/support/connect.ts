import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createMemoryRunStore } from "@x/research";
import { createJobs, type Jobs } from "../../src/jobs/jobs.js";
import { createServer } from "../../src/protocol/server.js";
import { type FakeResearch, fakeResearch } from "./fake-research.js";

export interface Connected {
  client: Client;
  jobs: Jobs;
  research: FakeResearch;
  log: string[];
}

/** The official client, connected in memory to a server whose research is told what to say. */
export async function connect(
  options: {
    name?: string;
    maxWaitMs?: number;
    store?: ReturnType<typeof createMemoryRunStore>;
    pid?: number;
    isAlive?: () => boolean;
  } = {},
): Promise<Connected> {
  const research = fakeResearch();
  const log: string[] = [];
  const write = (level: string, message: string) => void log.push(`[${level.toUpperCase()}] ${message}`);
  const jobs = createJobs({
    research: async () => research,
    store: options.store ?? createMemoryRunStore(),
    log: write,
    pid: options.pid ?? 1,
    ...(options.isAlive === undefined ? {} : { isAlive: options.isAlive }),
  });
  const server = createServer({ jobs, log: write, maxWaitMs: options.maxWaitMs });
  const client = new Client({ name: options.name ?? "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  await client.listTools();
  return { client, jobs, research, log };
}

/** The text of an answer, parsed. */
export function textOf(result: unknown): { job_id?: string; [key: string]: unknown } {
  const { content } = result as { content: { type: string; text: string }[] };
  if (content.length !== 1 || content[0]?.type !== "text") throw new Error("expected one text");
  return JSON.parse(content[0].text);
}
