import type { Log } from "../host/log.js";
import { tenantIn } from "../jobs/job-record.js";
import type { TenantLimits } from "./principal.js";
import { TENANT_NAME } from "./token-file.js";

/** How often tenants are looked at. */
const LOOK_MS = 1_000;

/** What tenants may have from now on, by their owners. `undefined`: who was a tenant is none any more. */
type TenantChanges = ReadonlyMap<string, TenantLimits | undefined>;

export interface WatchOptions {
  /** The limits of each tenant, by their owner. Rejects when that cannot be found out now. */
  tenants(): Promise<ReadonlyMap<string, TenantLimits>>;
  /** Who has researches that wait or run. Rejects when that cannot be found out now. */
  owners(): Promise<readonly string[]>;
  /**
   * Hears of all tenants at first, and of those who went while nobody looked and have researches yet; then of those who came,
   * went, or have other limits. When it rejects it hears of them again.
   */
  tell(changes: TenantChanges): Promise<void>;
  log: Log;
}

/** Tells of changes within two seconds, also when nobody asks for anything. Gives the way to stop. */
export function watchTenants({ tenants, owners, tell, log }: WatchOptions): () => void {
  /** Of who went before the first look no limits are known. */
  let known: ReadonlyMap<string, TenantLimits | undefined> | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const present = await tenants();
      known ??= new Map((await owners()).filter(isOfFile).map((owner) => [owner, undefined]));
      const changes = changesIn(known, present);
      if (changes.size > 0) await tell(changes);
      known = present;
    } catch (error) {
      // Whoever asks is told why nobody comes in.
      log("debug", `Tenants: ${(error as Error).message}`);
    } finally {
      isLooking = false;
    }
  }

  void look();
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** Tenants of an issuer, who are not in a file, have other names. */
function isOfFile(owner: string): boolean {
  return TENANT_NAME.test(tenantIn(owner) ?? "");
}

function changesIn(
  known: ReadonlyMap<string, TenantLimits | undefined>,
  present: ReadonlyMap<string, TenantLimits>,
): TenantChanges {
  const changes = new Map<string, TenantLimits | undefined>();
  for (const [owner, limits] of present) if (!isSame(known.get(owner), limits)) changes.set(owner, limits);
  for (const owner of known.keys()) if (!present.has(owner)) changes.set(owner, undefined);
  return changes;
}

function isSame(one: TenantLimits | undefined, other: TenantLimits): boolean {
  return (
    one !== undefined &&
    (["running", "queued", "perMinute", "kept"] as const).every((limit) => one[limit] === other[limit])
  );
}
