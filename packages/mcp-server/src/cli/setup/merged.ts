import type { Entry } from "./client.js";

/** Says why a configuration was left unchanged. The message follows the path of the file and a colon. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** Keys that keep the value that the person gave them. */
const KEPT = ["timeout", "startup_timeout_sec", "tool_timeout_sec"];

/**
 * The entry as it is to be: what the person added beside it stays, and so do their variables and limits. Only the variables
 * just `given` take the place of older ones.
 */
export function merged(
  old: Readonly<Record<string, unknown>>,
  entry: Entry,
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(old).filter(([key]) => KEPT.includes(key)));
  const { env: oldEnv, env_vars: oldNames } = old;
  const env = { ...asObject(entry.env), ...asObject(oldEnv), ...given };
  const names = [...new Set([...asList(oldNames), ...asList(entry.env_vars)])];
  return {
    ...old,
    ...entry,
    ...kept,
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(names.length > 0 ? { env_vars: names } : {}),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
