import { cleanUpTempFiles } from "@x/research/node";
import type { Config } from "../../host/config.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { createLog, type Log } from "../../host/log.js";
import { PERSON } from "../../jobs/job-record.js";
import type { Jobs } from "../../jobs/jobs.js";
import { createServices, type Services } from "../../services.js";
import { plainLine } from "../../text/plain-text.js";
import { told } from "../terminal/told.js";

/** Everything a command needs to research: the settings, and the jobs that the server of every client shares. */
export interface Session extends Pick<Services, "close"> {
  /** The person's. */
  jobs: Jobs;
  config: Config;
  /** Tells the person what they should know. */
  warn: (message: string) => void;
}

/** @param warn Hears what a person should know; by default it is written. Debug lines are, when `DEBUG` asks for them. */
export function openSession(
  io: Io,
  warn: (message: string) => void = (message) => {
    io.stderr.write(told("!", message, io.stderr, io.env));
  },
): Session {
  const { config, problems } = loadConfig(io);
  for (const problem of problems) warn(plainLine(problem));
  const all = createLog((line) => io.stderr.write(line), { debug: true });
  // Rounds and failures are shown in words of their own.
  const log: Log = (level, message) => {
    if (config.debug) all(level, message);
    else if (level === "warn") warn(plainLine(message));
  };
  void cleanUpTempFiles({ directory: config.configDir }).then(({ removed, warning }) =>
    log("debug", warning ?? `Cleaned up ${removed} orphaned temporary files`),
  );
  const services = createServices(config, log, io);
  return { config, warn: (message) => warn(plainLine(message)), jobs: services.jobs.of(PERSON), close: services.close };
}
