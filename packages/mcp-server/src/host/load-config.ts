import { type ParsedConfig, parseConfig } from "./config.js";
import { readConfigFile } from "./config-file.js";
import type { Io } from "./io.js";

/** The settings of this process: its environment, and below it the person's config file. */
export function loadConfig({ env, host }: Pick<Io, "env" | "host">): ParsedConfig {
  return parseConfig(env, host, readConfigFile(env, host));
}
