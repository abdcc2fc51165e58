import { createHash } from "node:crypto";
import { tenantOwner } from "../jobs/job-record.js";
import type { OwnerLimits } from "../jobs/jobs.js";

/** What one tenant may have. Missing: as much as anybody. */
export interface TenantLimits extends OwnerLimits {
  /** Calls of tools within a minute. */
  perMinute?: number;
  /** Researches that stay when they have ended. */
  kept?: number;
}

/** Who asks. */
export interface Principal {
  /** Whose what they make is. */
  owner: string;
  limits: TenantLimits;
}

/** Takes a bearer token; `undefined`: it is none of these. */
export type TokenReader = (token: string) => Promise<Principal | undefined> | Principal | undefined;

/** @param name Of the tenant. */
export function tenant(name: string, limits: TenantLimits): Principal {
  return { owner: tenantOwner(name), limits };
}

export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
