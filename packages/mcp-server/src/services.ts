import { join } from "node:path";
import { ownProcess } from "@x/owned-files";
import { createFileRunStore } from "@x/research/node";
import type { Config } from "./host/config.js";
import type { Io } from "./host/io.js";
import type { Log } from "./host/log.js";
import { type PrivateFolders, privateFolders } from "./host/private-folder.js";
import { within } from "./host/within.js";
import type { Ask } from "./isolation/ask.js";
import type { Offload } from "./isolation/offload.js";
import { toFailure } from "./jobs/failure.js";
import { createRecordLock } from "./jobs/file-lock.js";
import { createJobs, type JobsOptions, type OwnJobs, type SharedJobs } from "./jobs/jobs.js";
import { createRecordFiles, type RecordFiles } from "./jobs/record-files.js";
import type { Pool, ResearchParts } from "./research.js";

/** What all clients of one process share. */
export interface Services {
  /** Rejects when the config directory, or what we keep in it, may be changed by somebody else. */
  checkFolders(): Promise<void>;
  jobs: SharedJobs;
  /** Where long reports are worked on. */
  offload(): Promise<Offload | undefined>;
  /** Interrupts all work, saves it, and waits until no process of it is left. */
  close(): Promise<void>;
  /** For who cannot wait for processes: resolves when what is known of the jobs is kept, at the latest after ten seconds. */
  saved(): Promise<void>;
}

/** A disk takes a record in milliseconds, a busy one in seconds. */
const LONGEST_SAVE_MS = 10_000;

/** Whatever does research, made when it is first needed. */
export interface LazyResearch {
  /** Rejects when the config directory, or what we keep in it, may be changed by somebody else. */
  checkFolders(): Promise<void>;
  find(): Promise<ResearchParts>;
  /** Ends every run and waits until its process is gone. */
  close(): Promise<void>;
}

/** With `pool` runs share processes of the CLI. */
export function lazyResearch(config: Config, log: Log, io: Pick<Io, "env" | "host">, pool: Pool = false): LazyResearch {
  let research: Promise<ResearchParts> | undefined;
  const folders = privateFolders(config);
  return {
    checkFolders: folders.check,
    find() {
      research ??= Promise.all([import("./research.js"), folders.make()])
        .then(([{ createResearch }]) => createResearch(config, log, io, pool))
        .catch((error: unknown) => {
          // What is put right meanwhile is tried again.
          research = undefined;
          throw error;
        });
      return research;
    },
    async close() {
      await (await research?.catch(() => undefined))?.close();
    },
  };
}

export interface ServicesOptions {
  /** Runs share processes of the CLI. Default: each has its own. */
  pool?: Pool;
  /** Of the key with which the API is asked. Default: no limit but the API's. */
  key?: JobsOptions["key"];
  /** Counts the researches of an owner. Default: nobody does. */
  counted?: (ask: Ask, owner: string) => Ask;
  /** Hears of each job that has ended or stopped. Default: nobody does. */
  onEnded?: JobsOptions["onEnded"];
}

/** Nothing is loaded, read or started before the first job. */
export function createServices(
  config: Config,
  log: Log,
  io: Pick<Io, "env" | "host">,
  { pool = false, key, counted = (ask) => ask, onEnded }: ServicesOptions = {},
): Services & { jobs: OwnJobs } {
  const directory = join(config.configDir, "jobs");
  const own = ownProcess();
  const folders = privateFolders(config);
  const research = lazyResearch(config, log, io, pool);
  const lock = createRecordLock({ directory, own });
  const jobs = createJobs({
    research: async (owner) => ({ ask: counted((await research.find()).ask, owner) }),
    failureOf: (error) => toFailure(error, config.origins),
    files: checkedFirst(createRecordFiles({ directory, keepMs: config.keepMs }), folders),
    lock: (id, work) => folders.make().then(() => lock(id, work)),
    rounds: createFileRunStore({ directory: join(config.configDir, "rounds"), keepMs: config.keepMs }),
    log,
    own,
    ...(key && { key }),
    ...(onEnded && { onEnded }),
  });
  return {
    checkFolders: folders.check,
    jobs,
    offload: async () => (await research.find()).offload,
    async close() {
      // What reads a long text hears of no end: its thread is ended while the jobs are saved.
      await Promise.all([jobs.close(), research.close()]);
    },
    saved: () => within(LONGEST_SAVE_MS, jobs.saved()),
  };
}

/** Records that are neither read nor written where somebody else could change them. */
function checkedFirst(files: RecordFiles, { check, make }: PrivateFolders): RecordFiles {
  return {
    directory: files.directory,
    load: (id) => check().then(() => files.load(id)),
    save: (record) => make().then(() => files.save(record)),
    head: (id) => check().then(() => files.head(id)),
    remove: (id) => check().then(() => files.remove(id)),
    heads: () => check().then(() => files.heads()),
    noteLast: (question, id) => make().then(() => files.noteLast(question, id)),
    lastOf: (question) => check().then(() => files.lastOf(question)),
  };
}
