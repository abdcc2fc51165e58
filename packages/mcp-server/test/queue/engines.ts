import { type DatabaseServer, startPostgres, startRedis } from "../support/database-servers.js";

/** Every engine with which many processes share their jobs. */
export const ENGINES: readonly (readonly [name: string, start: () => Promise<DatabaseServer>])[] = [
  ["Redis", startRedis],
  ["PostgreSQL", startPostgres],
];
