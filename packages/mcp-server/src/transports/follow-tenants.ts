import type { Access } from "../access/access.js";
import type { SharedJobs } from "../jobs/jobs.js";
import type { HttpServer } from "./http-server.js";

/** Of one who is no tenant any more: what runs ends by itself, and what waits goes on when the tenant is one again. */
const NOTHING = { running: 0 };

/** What changes for tenants while the server runs holds for what they have begun, too. Gives the way to stop. */
export function followTenants(
  access: Pick<Access, "watch">,
  { server, jobs }: { server: Pick<HttpServer, "drop">; jobs: Pick<SharedJobs, "limit" | "owners"> },
): () => void {
  return access.watch({
    owners: () => jobs.owners(),
    async tell(changes) {
      for (const [owner, limits] of changes) if (limits === undefined) server.drop(owner);
      await jobs.limit(new Map([...changes].map(([owner, limits = NOTHING]) => [owner, limits])));
    },
  });
}
