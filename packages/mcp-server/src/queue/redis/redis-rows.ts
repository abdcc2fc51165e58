import type { Redis } from "ioredis";
import {
  MOST_ENDED,
  MOST_LISTED,
  mostOf,
  type NewRow,
  OWNERS_A_STEP,
  type OwnerCount,
  type Room,
  type Row,
  type Rows,
  type Write,
} from "../rows.js";
import { CHECKPOINT, COUNT_READY, COUNTS, CREATE, LIMIT, REMOVE, SWAP, TAKE, WRITE } from "./scripts.js";

const PREFIX = "mcp-server:";
/** Owners in one step. */
const AT_ONCE = 1_000;

export interface RedisRowsOptions {
  /** Throws while there is no connection. */
  connected(): Redis;
  /** How long a record stays after it was last written. */
  keepMs: number;
  close(): void;
  /** Its number. */
  database: number;
}

/** The records of jobs in Redis or Valkey. */
export class RedisRows implements Rows {
  readonly #options: RedisRowsOptions;
  readonly #keepMs: number;

  constructor(options: RedisRowsOptions) {
    this.#options = options;
    this.#keepMs = options.keepMs;
  }

  get #redis(): Redis {
    return this.#options.connected();
  }

  async create({ id, key, owner, generation, format, head, after = "", room }: NewRow) {
    const row = [id, key, owner, generation, format, head, after, this.#keepMs, MOST_LISTED, ...numbersOf(room)];
    const created = await this.#run(CREATE, row);
    return created === 1 ? "created" : created === 0 ? "late" : "full";
  }

  async row(id: string, owner?: string): Promise<Row | undefined> {
    if (owner !== undefined && (await this.#redis.hget(`${PREFIX}job:${id}`, "o")) !== owner) return undefined;
    return rowOf(id, await this.#redis.hmgetBuffer(`${PREFIX}job:${id}`, "g", "f", "h", "r"));
  }

  async head(id: string): Promise<Row | undefined> {
    return rowOf(id, await this.#redis.hmgetBuffer(`${PREFIX}job:${id}`, "g", "f", "h"));
  }

  async lastOf(key: string): Promise<string | undefined> {
    return (await this.#redis.get(`${PREFIX}question:${key}`)) ?? undefined;
  }

  async headsOf(owner: string, max: number): Promise<(Row | undefined)[]> {
    const ids = await this.#redis.zrevrange(`${PREFIX}own:${owner}`, 0, max - 1);
    return Promise.all(ids.map((id) => this.head(id)));
  }

  async heads(ids: readonly string[]): Promise<Row[]> {
    const rows = await Promise.all(ids.map((id) => this.head(id)));
    return rows.filter((row) => row !== undefined);
  }

  async write({ id, from, generation, format, head, report = Buffer.alloc(0), next, room }: Write) {
    const known = [id, from, generation, format, head, report, next, this.#keepMs, MOST_ENDED];
    const all = room === undefined ? known : [...known, ...numbersOf(room)];
    const [written, owed] = (await this.#run(WRITE, all)) as [number, number];
    return { written: written === 1, owesTicket: owed === 1, isFull: written === -1 };
  }

  async remove(id: string, generation: number): Promise<boolean> {
    return (await this.#run(REMOVE, [id, generation])) === 1;
  }

  async take(ticket: string): Promise<string | undefined> {
    for (;;) {
      const id = (await this.#run(TAKE, [ticket, OWNERS_A_STEP])) as string | null;
      if (id !== "") return id ?? undefined;
    }
  }

  async takenWith(ticket: string): Promise<string | undefined> {
    return (await this.#redis.hget(`${PREFIX}taken`, ticket)) ?? undefined;
  }

  async saveCheckpoint(id: string, generation: number, checkpoint = Buffer.alloc(0)): Promise<boolean> {
    return (await this.#run(CHECKPOINT, [id, generation, checkpoint])) === 1;
  }

  async checkpoint(id: string): Promise<Buffer | undefined> {
    return (await this.#redis.hgetBuffer(`${PREFIX}job:${id}`, "c")) ?? undefined;
  }

  async limit(owners: Parameters<Rows["limit"]>[0]): Promise<void> {
    for (let from = 0; from < owners.length; from += AT_ONCE) {
      const some = owners.slice(from, from + AT_ONCE);
      await this.#run(LIMIT, [this.#keepMs, ...some.flatMap(({ owner, running }) => [owner, mostOf(running)])]);
    }
  }

  async countOf(owner: string): Promise<Omit<OwnerCount, "owner">> {
    const [waiting, running] = await Promise.all([
      this.#redis.llen(`${PREFIX}line:${owner}`),
      this.#redis.scard(`${PREFIX}run:${owner}`),
    ]);
    return { waiting, running };
  }

  async counts(): Promise<OwnerCount[]> {
    const all = (await this.#run(COUNTS, [])) as (string | number)[];
    return Array.from({ length: all.length / 3 }, (_, at) => ({
      owner: String(all[3 * at]),
      waiting: Number(all[3 * at + 1]),
      running: Number(all[3 * at + 2]),
    }));
  }

  async countReady(): Promise<number> {
    return (await this.#run(COUNT_READY, [OWNERS_A_STEP])) as number;
  }

  async remember(name: string, text: string, keepMs: number): Promise<void> {
    await this.#redis.set(`${PREFIX}known:${name}`, text, "PX", keepMs);
  }

  async recall(name: string): Promise<string | undefined> {
    return (await this.#redis.get(`${PREFIX}known:${name}`)) ?? undefined;
  }

  async swap(name: string, before: string | undefined, after: string, keepMs: number): Promise<boolean> {
    return (await this.#run(SWAP, [name, before === undefined ? 0 : 1, before ?? "", after, keepMs])) === 1;
  }

  async now(): Promise<number> {
    const [seconds, micros] = await this.#redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }

  async expire(): Promise<void> {}

  async problem(): Promise<string | undefined> {
    // Where there is no such database a connection stays in the first one, and says nothing of it.
    const { database } = this.#options;
    const refused = await this.#redis.select(database).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (refused !== undefined && /DB index|database/i.test(refused)) {
      return `Redis has no database ${database}: ${refused}. Choose another in MCP_SERVER_QUEUE, or raise its setting \`databases\``;
    }
    const policy = /^maxmemory_policy:(\S+)/m.exec(await this.#redis.info("memory"))?.[1] ?? "noeviction";
    if (policy === "noeviction") {
      // Refused as every write is, and otherwise nothing is written: it is nowhere made.
      await this.#redis.set(`${PREFIX}writable`, "", "XX");
      return undefined;
    }
    return `Redis throws jobs away when it is full: its maxmemory-policy is ${policy}. Set it to noeviction (redis-cli CONFIG SET maxmemory-policy noeviction, and in redis.conf)`;
  }

  async close(): Promise<void> {
    this.#options.close();
  }

  async #run(script: string, args: readonly (string | number | Buffer)[]): Promise<unknown> {
    return this.#redis.eval(script, 0, PREFIX, ...args);
  }
}

/** As the scripts take them: 0 and -1 are no limit. */
function numbersOf({ running, jobs = -1 }: Room): [running: number, jobs: number] {
  return [mostOf(running), jobs];
}

function rowOf(id: string, [generation, format, head, report]: (Buffer | null)[]): Row | undefined {
  if (!generation || !format || !head) return undefined;
  const row = { id, format: Number(format), generation: Number(generation), head: head.toString("utf8") };
  return report ? { ...row, report } : row;
}
