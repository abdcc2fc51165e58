import { makeFolder } from "@x/owned-files";
import { type CleanUp, cleanUpTempFiles } from "@x/research/node";
import type { Config } from "./config.js";
import type { Io } from "./io.js";
import { loadConfig } from "./load-config.js";
import { createLog, type Log, linesTo } from "./log.js";

/** The settings, a log on stderr that names what is wrong with them, and the clean-up of what crashed servers left. */
export function startUp(io: Io): { config: Config; log: Log } {
  const { config, problems } = loadConfig(io);
  const log = createLog(linesTo(io.stderr), { debug: config.debug, json: config.logFormat === "json" });
  for (const problem of problems) log("warn", problem);
  void cleanUp(config).then(({ removed, warning }) => {
    if (warning !== undefined) log("warn", warning);
    log("info", `Cleaned up ${removed} orphaned temporary file${removed === 1 ? "" : "s"}`);
  });
  return { config, log };
}

/** On a new machine there is no folder yet, which is no reason for a warning; that none can be made is one. */
async function cleanUp({ configDir }: Config): Promise<CleanUp> {
  await makeFolder(configDir, { mode: 0o700 }).catch(() => {});
  return cleanUpTempFiles({ directory: configDir });
}
