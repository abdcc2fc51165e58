import { createHash } from "node:crypto";
import { type Environment, readSignIn } from "@x/gemini-runner";

/**
 * A name for whatever the API counts requests by: a key, else a project, else the one login. It is the same on every
 * machine, and nobody can tell the key by it.
 */
export async function keyName(env: Environment): Promise<string> {
  const known: Environment = { ...env, ...(await readSignIn(env)).env };
  const { GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_PROJECT_ID } = known;
  const counted = GEMINI_API_KEY || GOOGLE_API_KEY || GOOGLE_CLOUD_PROJECT || GOOGLE_CLOUD_PROJECT_ID;
  return counted ? createHash("sha256").update(counted).digest("hex").slice(0, 16) : "login";
}
