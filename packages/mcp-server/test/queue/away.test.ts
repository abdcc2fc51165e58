import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, test } from "vitest";
import type { Jobs } from "../../src/jobs/jobs.js";
import { createServer } from "../../src/protocol/server.js";
import { orAway } from "../../src/queue/away.js";
import { answerOf } from "../support/connect.js";

/** A client of a server whose jobs are in a place that answers with this. */
async function clientOver(error: Error) {
  const log: string[] = [];
  const fails = () => orAway(() => Promise.reject(error));
  const jobs = { start: fails, look: fails, find: fails, resume: fails, cancel: fails, remove: fails, list: fails };
  const server = createServer({ jobs: jobs as unknown as Jobs, log: (level, line) => log.push(`${level} ${line}`) });
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  await client.listTools();
  return { client, log };
}

const JOB = "search-0123456789";
const CALLS: readonly [string, (client: Client) => Promise<string>][] = [
  ["search", async (client) => called(client, "search", { query: "why" })],
  ["deep_research", async (client) => called(client, "deep_research", { topic: "why" })],
  ["research_result", async (client) => called(client, "research_result", { job_id: JOB })],
  ["research_cancel", async (client) => called(client, "research_cancel", { job_id: JOB })],
  [
    "resources/read",
    async (client) => {
      const failed = await client.readResource({ uri: `report://${JOB}` }).catch((error: Error) => error);
      return (failed as Error).message;
    },
  ],
];

async function called(client: Client, name: string, args: Record<string, string>): Promise<string> {
  const answer = answerOf(await client.callTool({ name, arguments: args }));
  expect(answer).toMatchObject({ success: false, error: { code: "EXECUTION_ERROR" } });
  return JSON.stringify(answer);
}

const refused = "connect ECONNREFUSED 10.0.0.7:6379";
const system = { code: "ECONNREFUSED", syscall: "connect", address: "10.0.0.7", port: 6379 };

test.each<[string, Error, string]>([
  ["does not take connections", Object.assign(new Error(refused), system), refused],
  ["has several addresses", new AggregateError([Object.assign(new Error(refused), system)], ""), refused],
  [
    "may not be opened",
    Object.assign(new Error("connect EACCES /run/db.sock"), { code: "EACCES", syscall: "connect" }),
    "EACCES /run/db.sock",
  ],
  [
    "does not know what it is asked",
    Object.assign(new Error('relation "mcp_server.job" does not exist'), { code: "42P01" }),
    "mcp_server.job",
  ],
])(
  "where jobs are kept in a place that %s, callers are told so without the reason, which the log has",
  async (_, error, why) => {
    const { client, log } = await clientOver(error);
    for (const [what, call] of CALLS) {
      const told = await call(client);
      expect(told).toContain("The place where this server keeps its researches cannot be used now");
      expect(told).not.toMatch(/10\.0\.0\.7|ECONN|EACCES|\/run|mcp_server|GEMINI_SEARCH_CONFIG_DIR|config directory/);
      expect(log.at(-1)).toBe(
        `error ${what} failed unexpectedly: The place where this server keeps its researches cannot be used now: ${error.message || refused}`,
      );
      expect(log.at(-1)).toContain(why);
    }
  },
);
