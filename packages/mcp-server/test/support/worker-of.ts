import { KeyLimit } from "../../src/jobs/key-limit.js";
import type { Engine } from "../../src/queue/engine.js";
import { JobWorker } from "../../src/queue/job-worker.js";
import type { FakeResearch } from "./fake-research.js";
import { processOf } from "./process-of.js";

interface Asking {
  /** Name of the API's key that the worker has. */
  key?: string;
  /** Researches that may begin with it in a minute. */
  perMinute?: number;
  /** Researches that may run with it at once. */
  running?: number;
}

/** A worker, as another process would be. */
export function workerOf(
  engine: Engine,
  research: Pick<FakeResearch, "ask">,
  pid: number,
  { key = "one", perMinute, running }: Asking = {},
): JobWorker {
  const keyLimit = new KeyLimit({ rates: engine.store.rows, key: async () => key, perMinute, running });
  return new JobWorker({ engine, research: async () => research, log: () => {}, own: processOf(pid), keyLimit });
}
