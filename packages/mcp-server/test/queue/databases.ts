import pg from "pg";
import type { DatabaseServer } from "../support/database-servers.js";

let databases = 0;

/** A database of its own in a server. */
export async function databaseIn(server: DatabaseServer): Promise<string> {
  databases += 1;
  const url = new URL(server.url);
  if (url.protocol === "redis:") url.pathname = `/${databases % 16}`;
  else {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`CREATE DATABASE test${databases}`);
    await client.end();
    url.pathname = `/test${databases}`;
  }
  return url.href;
}
