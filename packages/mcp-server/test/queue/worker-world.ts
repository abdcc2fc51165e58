import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { newPlace, printing, scriptGemini } from "../support/place.js";
import { processOf } from "../support/process-of.js";
import { startServer } from "../support/stdio-server.js";

/** A store, a front in this process, and what starts workers, whose CLI answers round 1, and later ones when it may. */
export async function workerWorld(start: () => Promise<DatabaseServer>) {
  // Each in turn, the last one first. Files share their modules, so a hook of this one would hold in the first of them alone.
  const server = await start();
  onTestFinished(() => server.remove());
  const place = newPlace();
  onTestFinished(() => place.remove());
  const answer = (verified: boolean, report: string) =>
    printing(place, { success: true, verified, report, metadata: { sources_visited: [], search_queries_used: [] } });
  const [first, go] = [join(place.home, "first"), join(place.home, "go")];
  const gemini = scriptGemini(
    place,
    `if [ ! -e "${first}" ]; then touch "${first}"; ${answer(false, "round one")}; exit; fi
while [ ! -e "${go}" ]; do sleep 0.1; done
${answer(true, "round two")}`,
  );
  const env = { ...place.env, GEMINI_CLI_PATH: gemini, MCP_SERVER_QUEUE: server.url };
  const startWorker = (name: string, more: Record<string, string> = {}, args: readonly string[] = []) => {
    const worker = startServer({ ...env, GEMINI_SEARCH_CONFIG_DIR: join(place.home, name), ...more }, [
      "worker",
      "--concurrency",
      "1",
      ...args,
    ]);
    onTestFinished(async () => {
      worker.child.kill("SIGKILL");
      await worker.exited;
    });
    return worker;
  };
  const engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
  onTestFinished(async () => {
    await jobs.close();
    await engine.close();
  });
  return {
    ...{ server, place, startWorker },
    jobs: jobs.of("ann"),
    go: () => writeFileSync(go, ""),
    isAtRoundTwo: () => existsSync(first),
  };
}
