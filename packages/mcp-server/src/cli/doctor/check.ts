import type { Config } from "../../host/config.js";
import { toFailure } from "../../jobs/failure.js";
import { rowOf } from "../../jobs/troubleshooting.js";

/** One thing that was looked at. */
export interface Check {
  name: string;
  /** `unknown`: it could not be found out. */
  status: "ok" | "warning" | "unknown" | "failed";
  /** What was found; never a key. */
  summary: string;
  /** What to do about it. */
  fix?: string;
  /** The error that a research would end with. */
  code?: string;
}

/** What a research would end with. */
export function failedCheck(name: string, error: unknown, { origins }: Pick<Config, "origins">): Check {
  const failure = toFailure(error, origins);
  const fix = [failure.details, rowOf(failure)].filter((part) => part !== undefined).join("\n");
  return { name, status: "failed", summary: failure.message, code: failure.code, ...(fix === "" ? {} : { fix }) };
}
