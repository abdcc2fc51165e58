import type { PgPool } from "bullmq";
import { type Bull, TicketQueue } from "./bullmq/ticket-queue.js";
import type { Engine, EngineOptions, EngineProblem } from "./engine.js";
import { inWords } from "./error-words.js";
import { markHopeless } from "./hopeless.js";
import { PostgresRows } from "./postgres/postgres-rows.js";
import { SETUP } from "./postgres/schema.js";
import { RedisRows } from "./redis/redis-rows.js";
import type { Rows } from "./rows.js";
import { SharedStore } from "./shared-store.js";

const CONNECT_MS = 3_000;
const ANSWER_MS = 5_000;
/** Of one process with PostgreSQL, those on which BullMQ listens among them. */
const CONNECTIONS = 10;
/** For one of them that is free: who is busy waits rather than refuses. */
const FREE_MS = 15_000;
/** A Redis that is away for longer is not waited for: each question of a call would wait anew. */
const MOMENT_MS = 1_000;

/** What must be told to the person who set the queue up; nothing works before it is put right. */
export class QueueSetupError extends Error {
  override readonly name = "QueueSetupError";
}

/** Loads what the engine needs and makes it; nothing need be reachable yet. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { url, log, now, keepMs, againMs, messagesMs } = options;
  const { bull, rows, lastError } = isPostgres(url) ? await postgres(url, keepMs, now) : await redis(url, keepMs);
  const store = new SharedStore(rows, now);
  const queue = new TicketQueue({ bull, rows, log, againMs, messagesMs, onHopeless: (id) => markHopeless(store, id) });
  store.onOwed = () => void queue.wake().catch(() => {});
  return {
    store,
    queue,
    async problem() {
      try {
        const text = await answerOf(rows.problem());
        return text === undefined ? undefined : { kind: "setup", text };
      } catch (error) {
        return troubleOf(error as Error, lastError(), url);
      }
    },
    async close() {
      await queue.close().catch(() => {});
      await rows.close().catch(() => {});
    },
  };
}

/** A store that takes a connection and says nothing is away. */
async function answerOf<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS / 1_000} s`)), ANSWER_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/** What a server says to whoever it does not let in; a name of a database that is not there is one too. */
const NOT_LET_IN = /WRONGPASS|NOAUTH|NOPERM|invalid password|certificate|SSL|TLS|wrong version number/i;
/** The same of PostgreSQL, by its codes. */
const NOT_LET_IN_CODES = new Set(["28P01", "28000", "3D000", "42501"]);

/** What a server says that can be reached and takes no writes, by PostgreSQL's codes or Redis's words, and what to do. */
const TAKES_NO_WRITES: readonly (readonly [said: RegExp, next: string])[] = [
  [/^OOM /, ". Redis is full: its maxmemory must be raised"],
  [
    /^(?:25006$|READONLY )/,
    ". MCP_SERVER_QUEUE must name a server that takes writes: this is a copy of one, or set to read-only",
  ],
  [/^(?:MISCONF|NOREPLICAS) /, ""],
];

function troubleOf(error: Error, before: Error | undefined, url: string): EngineProblem {
  // What ended a connection says more than that there is none.
  const cause = /max retries|Connection is closed|timed out/i.test(error.message) ? (before ?? error) : error;
  const { code = "" } = cause as { code?: string };
  const unwritable = TAKES_NO_WRITES.find(([said]) => said.test(code || cause.message));
  if (unwritable !== undefined) {
    return {
      kind: "unwritable",
      text: `The queue takes no writes: ${inWords(cause).replace(/\.$/, "")}${unwritable[1]}`,
    };
  }
  if (!NOT_LET_IN.test(cause.message) && !NOT_LET_IN_CODES.has(code)) {
    return { kind: "away", text: `The queue cannot be reached: ${inWords(cause)}${hintFor(cause, url)}` };
  }
  const next = `Look at the name, the password and the scheme in MCP_SERVER_QUEUE${isPostgres(url) ? "" : " (rediss:// is Redis with TLS)"}`;
  return { kind: "setup", text: `The queue does not let this server in: ${inWords(cause)}. ${next}` };
}

/** What another program, or one without TLS, makes of what Redis is told. */
function hintFor({ message }: Error, url: string): string {
  if (/RESP type|Protocol error/.test(message)) return ". What answers at this address is no Redis";
  return url.startsWith("rediss:") && /ETIMEDOUT|ECONNRESET|timed out/i.test(message)
    ? ". rediss:// is Redis with TLS: without TLS it is redis://"
    : "";
}

/** BullMQ's own table, by its own clock. */
const FORGET =
  "DELETE FROM event WHERE queue = $1 AND created_at_ms < extract(epoch FROM clock_timestamp()) * 1000 - $2::float8";

const isPostgres = (url: string) => /^postgres(?:ql)?:/.test(url);

interface Parts {
  bull: Bull;
  rows: Rows;
  /** What went wrong last with a connection. */
  lastError(): Error | undefined;
}

async function redis(url: string, keepMs: number): Promise<Parts> {
  const { Redis } = await load(() => import("ioredis"), "ioredis");
  const { Queue, QueueEvents, QueueEventsProducer, WaitingError, Worker } = await load(
    () => import("bullmq"),
    "bullmq",
  );
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  const connection = {
    host: hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: Number(port) || 6379,
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
    db: Number(pathname.slice(1)) || 0,
    ...(protocol === "rediss:" && { tls: {} }),
    connectTimeout: CONNECT_MS,
    retryStrategy: (tries: number) => Math.min(2_000, 50 * 2 ** tries),
  };
  // A call that asks gets its error at once; a worker waits until the store is back.
  const asking = {
    connection: { ...connection, maxRetriesPerRequest: 1, enableOfflineQueue: false },
    skipVersionCheck: false,
  };
  const waiting = { connection: { ...connection, maxRetriesPerRequest: null } };
  const client = new Redis({ ...connection, maxRetriesPerRequest: 1, commandTimeout: ANSWER_MS });
  let last: Error | undefined;
  let awayFromMs: number | undefined = performance.now();
  client.on("error", (error) => {
    last = error;
  });
  client.on("close", () => {
    awayFromMs ??= performance.now();
  });
  client.on("ready", async () => {
    try {
      // Where there is no such database the connection stays in the first one, whose jobs may be another's.
      await client.select(connection.db);
      last = undefined;
      awayFromMs = undefined;
    } catch (error) {
      last = error as Error;
    }
  });
  const connected = () => {
    const isAway = awayFromMs !== undefined && performance.now() - awayFromMs > MOMENT_MS;
    if (isAway) throw new Error(last === undefined ? "no connection" : inWords(last), { cause: last });
    return client;
  };
  const rows = new RedisRows({ connected, keepMs, close: () => client.disconnect(), database: connection.db });
  const bull: Bull = {
    queue: (name) => new Queue(name, asking),
    producer: (name) => new QueueEventsProducer(name, asking),
    worker: (name, work, more) => new Worker(name, work, { ...waiting, ...more }),
    events: (name) => new QueueEvents(name, waiting),
    async forget(name, olderMs) {
      const key = `bull:${name}:events`;
      await connected().xtrim(key, "MINID", (await rows.now()) - olderMs);
      // When nobody is left who does this.
      await connected().pexpire(key, olderMs);
    },
    WaitingError,
  };
  return { bull, rows, lastError: () => last };
}

async function postgres(url: string, keepMs: number, clock: () => number): Promise<Parts> {
  const pg = await load(() => import("pg"), "pg");
  const { Client, Pool } = pg.default ?? pg;
  const { createPostgresBackend, DEFAULT_SCHEMA, runMigrations, WaitingError, withBackend } = await load(
    () => import("bullmq"),
    "bullmq",
  );
  const { Queue, QueueEvents, QueueEventsProducer, Worker } = withBackend(createPostgresBackend);
  const pool = new Pool({
    ...{ connectionString: url, max: CONNECTIONS, keepAlive: true },
    ...{ connectionTimeoutMillis: FREE_MS, query_timeout: ANSWER_MS, options: `-c search_path=${DEFAULT_SCHEMA}` },
  });
  pool.on("error", () => {});
  const setUp = async () => {
    // On a connection of its own: others may be setting it up for longer than a query may take.
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    client.on("error", () => {});
    try {
      await client.connect();
      await runMigrations(client);
      // Several statements in one query are one transaction.
      await client.query(SETUP);
    } finally {
      await client.end().catch(() => {});
    }
  };
  const options = { connection: pool as unknown as PgPool };
  const bull = {
    queue: (name: string) => new Queue(name, options),
    producer: (name: string) => new QueueEventsProducer(name, options),
    worker: (name: string, work: never, more: object) => new Worker(name, work, { ...options, ...more }),
    events: (name: string) => new QueueEvents(name, options),
    forget: (name: string, olderMs: number) => pool.query(FORGET, [name, olderMs]),
    WaitingError,
  };
  const rows = new PostgresRows(pool, setUp, { keepMs, clock });
  return { bull: bull as unknown as Bull, rows, lastError: () => undefined };
}

/** What only a shared queue needs is not in the package. */
async function load<T>(find: () => Promise<T>, name: string): Promise<T> {
  try {
    return await find();
  } catch (cause) {
    const client = name === "pg" ? "pg" : "ioredis";
    const message = `MCP_SERVER_QUEUE needs the package ${name}, which is not installed. Install it beside this one: npm install bullmq ${client}, with -g where this one was installed with -g (or start with npx -p bullmq -p ${client} -p @x/mcp-server x-research …)`;
    throw new QueueSetupError(message, { cause });
  }
}
