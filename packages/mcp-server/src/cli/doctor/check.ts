import type { Config } from "../../host/config.js";
import { toFailure } from "../../jobs/failure.js";

/** One thing that was looked at. */
export interface Check {
  name: string;
  status: "ok" | "warning" | "failed";
  /** What was found; never a key. */
  summary: string;
  /** What to do about it. */
  fix?: string;
  /** The error that a research would end with. */
  code?: string;
}

/** What a research would end with. */
export function failedCheck(name: string, error: unknown, { origins }: Pick<Config, "origins">): Check {
  const { code, message, details } = toFailure(error, origins);
  return { name, status: "failed", summary: message, code, ...(details === undefined ? {} : { fix: details }) };
}
