import { cleanUpTempFiles } from "@x/research/node";
import type { Config } from "./config.js";
import type { Io } from "./io.js";
import { loadConfig } from "./load-config.js";
import { createLog, type Log, linesTo } from "./log.js";

/** The settings, a log on stderr that names what is wrong with them, and the clean-up of what crashed servers left. */
export function startUp(io: Io): { config: Config; log: Log } {
  const { config, problems } = loadConfig(io);
  const log = createLog(linesTo(io.stderr), { debug: config.debug, json: config.logFormat === "json" });
  for (const problem of problems) log("warn", problem);
  void cleanUpTempFiles({ directory: config.configDir }).then(({ removed, warning }) => {
    if (warning !== undefined) log("warn", warning);
    log("info", `Cleaned up ${removed} orphaned temporary file${removed === 1 ? "" : "s"}`);
  });
  return { config, log };
}
