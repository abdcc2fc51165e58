import { createLog } from "../../src/host/log.js";
import { createJobs } from "../../src/jobs/jobs.js";
import { TOOLS } from "../../src/tools/index.js";
import { search } from "../../src/tools/search.js";
import type { Tool } from "../../src/tools/tool.js";
import { HttpServer } from "../../src/transports/http-server.js";
import { accessBy } from "../support/access.js";
import { fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { processOf } from "../support/process-of.js";

/*
 * The HTTP server as it is, with the tools that the conformance suite calls by name. Each is our `search` with a
 * question of its own, so that what is checked is our way from a call over a job, its progress and its end to an answer.
 */

const research = fakeResearch();
const log = createLog((line) => process.stderr.write(line));
const jobs = createJobs({
  research: async () => research,
  files: createMemoryFiles(),
  log,
  own: processOf(process.pid),
});

function fixture(name: string, play: () => void): Tool {
  return {
    definition: { ...search.definition, name, inputSchema: { type: "object", properties: {} } },
    call: async (_, call) => {
      const asked = research.asked.length;
      const result = search.call({ query: name }, call);
      await research.hasAsked(asked + 1);
      play();
      return result;
    },
  };
}

const tools = [
  ...TOOLS,
  fixture("test_simple_text", () => research.finish()),
  // Of the revision without sessions: that a call sends no log message, and asks nothing of its client.
  fixture("test_logging_tool", () => research.finish()),
  fixture("test_streaming_elicitation", () => research.finish()),
  fixture("test_error_handling", () => research.fail(new Error("This tool always fails."))),
  fixture("test_tool_with_progress", () => {
    let round = 0;
    const timer = setInterval(() => {
      round += 1;
      if (round <= 4) return research.tell({ type: "round-start", round, of: 5 });
      clearInterval(timer);
      research.finish();
    }, 600);
  }),
];

const server = new HttpServer({
  http: { host: "127.0.0.1", port: 0 },
  access: await accessBy(),
  partsFor: ({ owner }, session) => ({ jobs: jobs.of(owner, session), log, tools }),
  log,
});
await server.listen();
process.stdout.write(`${server.url()}/mcp\n`);
