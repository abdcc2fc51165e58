import { createHash } from "node:crypto";
import type { TenantLimits } from "../host/access-settings.js";
import { tenantOwner } from "../jobs/job-record.js";

export type { TenantLimits };

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
