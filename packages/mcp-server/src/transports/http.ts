import { type Access, openAccess } from "../access/access.js";
import { CallRate, QUESTIONS } from "../access/call-rate.js";
import { keepingAtMost } from "../access/kept.js";
import type { Principal } from "../access/principal.js";
import { whyNotServed } from "../host/access-settings.js";
import type { Config } from "../host/config.js";
import type { Io } from "../host/io.js";
import type { Log } from "../host/log.js";
import { MAX_ROUNDS } from "../host/settings.js";
import { keepHeapSmall } from "../host/small-heap.js";
import { startUp } from "../host/start-up.js";
import { within } from "../host/within.js";
import type { Jobs, SharedJobs } from "../jobs/jobs.js";
import { followTenants } from "./follow-tenants.js";
import { HttpServer } from "./http-server.js";
import { notStarted } from "./not-started.js";
import { openServices } from "./open-services.js";

const LONGEST_SHUTDOWN_MS = 2_000;

/**
 * Serves many clients over HTTP until it is told to end. Gives the exit code.
 *
 * @param concurrency With a queue: researches that this process does itself. Default: two for each processor.
 * @param files Whether clients may name documents in the folders of RESEARCH_ROOTS.
 */
export async function serveHttp(
  io: Io,
  { concurrency, files = false }: { concurrency?: number | undefined; files?: boolean | undefined } = {},
): Promise<number> {
  const { config, log } = startUp(io);
  keepHeapSmall();
  const access = await accessTo(config.http, log).catch((error: Error) => error.message);
  if (typeof access === "string") return notStarted(log, access);
  const opened = await openServices({ config, log, io, concurrency, access });
  if (!opened.ok) return notStarted(log, opened.problem);
  const { services, pages, metrics, rates, memory } = opened;
  if (files && memory !== undefined) log("warn", "--files does nothing with a queue: other workers have other files");
  // Workers of a queue may be on other machines.
  const roots = { folders: files && memory === undefined ? (config.roots ?? []) : [], ofClient: false };
  const problem = await services.checkFolders().then(() => undefined, problemIn);
  // With a queue it may have begun with what waits there.
  const giveUp = async (why: string) => {
    await within(LONGEST_SHUTDOWN_MS, services.close());
    return notStarted(log, why);
  };
  if (problem !== undefined) return giveUp(problem);
  const waits = { maxWaitMs: config.maxWaitMs };
  const { jobs, offload } = services;
  const maxRounds = Math.max(MAX_ROUNDS, config.maxRounds);
  const calls = new CallRate(rates, QUESTIONS);
  const partsFor = ({ owner, limits }: Principal, session?: string) => ({
    ...{ jobs: jobsOf(jobs, { owner, limits }, session), log, waits, maxRounds, shown: config.tools, offload, roots },
    countCall: () => calls.take(owner, limits.perMinute),
  });
  const server = new HttpServer({ http: config.http, access, partsFor, log, pages, metrics, memory });
  try {
    await server.listen();
  } catch (error) {
    return giveUp((error as Error).message);
  }
  log("info", `Listening on ${server.url()}/mcp`);
  const unfollow = followTenants(access, { server, jobs });
  if (!io.signal.aborted) {
    await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
  }
  log("info", `Ending: ${String(io.signal.reason)}`);
  unfollow();
  await within(
    LONGEST_SHUTDOWN_MS,
    services.close().then(() => server.close()),
  );
  await services.saved();
  return 0;
}

function jobsOf(jobs: SharedJobs, { owner, limits }: Principal, session?: string): Jobs {
  return keepingAtMost(jobs.of(owner, session, limits), limits);
}

/** Who may come in. Rejects where the server must not start, since it would be open to others, or think that it is not. */
async function accessTo(http: Config["http"], log: Log): Promise<Access> {
  const problem = whyNotServed(http);
  if (problem !== undefined) throw new Error(problem);
  return await openAccess(http, log);
}

/** A folder that cannot be made is told of by each call. */
function problemIn({ message, ...error }: Error & { reason?: unknown }): string | undefined {
  return error.reason === "workspace" ? message : undefined;
}
