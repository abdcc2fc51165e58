import { join } from "node:path";
import { ownProcess } from "@x/owned-files";
import { createFileRunStore } from "@x/research/node";
import type { Config } from "./host/config.js";
import type { Io } from "./host/io.js";
import type { Log } from "./host/log.js";
import type { Offload } from "./isolation/offload.js";
import { createRecordLock } from "./jobs/file-lock.js";
import { createJobs, type SharedJobs } from "./jobs/jobs.js";
import { createRecordFiles } from "./jobs/record-files.js";
import type { ResearchParts } from "./research.js";

/** What all clients of one process share. */
export interface Services {
  jobs: SharedJobs;
  /** Where long reports are worked on. */
  offload(): Promise<Offload | undefined>;
  /** Interrupts all work, saves it, and waits until no process of it is left. */
  close(): Promise<void>;
}

/** Nothing is loaded, read or started before the first job. With `pool` runs share a process of the CLI. */
export function createServices(config: Config, log: Log, io: Pick<Io, "env" | "host">, pool = false): Services {
  let research: Promise<ResearchParts> | undefined;
  const directory = join(config.configDir, "jobs");
  const own = ownProcess();
  const findResearch = () => {
    research ??= import("./research.js")
      .then(({ createResearch }) => createResearch(config, log, io, pool))
      .catch((error: unknown) => {
        // What is put right meanwhile is tried again.
        research = undefined;
        throw error;
      });
    return research;
  };
  const jobs = createJobs({
    research: findResearch,
    files: createRecordFiles({ directory, keepMs: config.keepMs }),
    lock: createRecordLock({ directory, own }),
    forget: (researchId) => createFileRunStore({ directory: join(config.configDir, "rounds") }).remove(researchId),
    log,
    own,
  });
  return {
    jobs,
    offload: async () => (await findResearch()).offload,
    async close() {
      await jobs.close();
      await (await research?.catch(() => undefined))?.close();
    },
  };
}
