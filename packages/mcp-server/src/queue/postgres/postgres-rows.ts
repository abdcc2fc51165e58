import type { Pool } from "pg";
import {
  MOST_ENDED,
  mostOf,
  type NewRow,
  OWNERS_A_STEP,
  type OwnerCount,
  type Row,
  type Rows,
  type Write,
} from "../rows.js";
import { SCHEMA } from "./schema.js";

/** A machine whose clock is further off takes the jobs of living workers: BullMQ writes leases by the clocks of machines. */
const MOST_SKEW_MS = 5_000;

interface Found {
  id: string;
  format: number;
  generation: number;
  head: string;
  report?: Buffer | null;
}

/** The records of jobs in PostgreSQL. */
export class PostgresRows implements Rows {
  readonly #pool: Pool;
  readonly #clock: () => number;
  readonly #keep: string;
  readonly #setUp: () => Promise<void>;
  #ready: Promise<void> | undefined;

  /**
   * @param setUp Makes the schemas.
   * @param keepMs How long a record stays after it was last written.
   * @param clock Milliseconds since 1970, as this machine has them.
   */
  constructor(pool: Pool, setUp: () => Promise<void>, { keepMs, clock }: { keepMs: number; clock: () => number }) {
    this.#pool = pool;
    this.#setUp = setUp;
    this.#keep = `${keepMs} milliseconds`;
    this.#clock = clock;
  }

  async create({ id, key, owner, generation, format, head, after = "", room }: NewRow) {
    const row = [id, key, owner, generation, format, head, after, mostOf(room.running), room.jobs ?? null, this.#keep];
    const text = `SELECT ${SCHEMA}.create_3(${places(row)}) AS created`;
    return (await this.#one<{ created: "created" | "late" | "full" }>(text, row)).created;
  }

  async row(id: string, owner?: string): Promise<Row | undefined> {
    const text = `SELECT id, format, generation, head, report FROM ${SCHEMA}.job
      WHERE id = $1 AND expires_at > now() AND ($2::text IS NULL OR owner = $2)`;
    return (await this.#rows(text, [id, owner ?? null]))[0];
  }

  async head(id: string): Promise<Row | undefined> {
    const text = `SELECT id, format, generation, head FROM ${SCHEMA}.job WHERE id = $1 AND expires_at > now()`;
    return (await this.#rows(text, [id]))[0];
  }

  heads(ids: readonly string[]): Promise<Row[]> {
    const text = `SELECT id, format, generation, head FROM ${SCHEMA}.job WHERE id = ANY($1) AND expires_at > now()`;
    return this.#rows(text, [ids]);
  }

  async lastOf(key: string): Promise<string | undefined> {
    const text = `SELECT id FROM ${SCHEMA}.question WHERE key = $1 AND expires_at > now()`;
    return (await this.#query<{ id: string }>(text, [key]))[0]?.id;
  }

  async headsOf(owner: string, max: number): Promise<Row[]> {
    const text = `SELECT id, format, generation, head FROM ${SCHEMA}.job
      WHERE owner = $1 AND expires_at > now() ORDER BY created_at DESC LIMIT $2`;
    return this.#rows(text, [owner, max]);
  }

  async write({ id, from, generation, format, head, report, next, room }: Write) {
    const most = [room && mostOf(room.running), room?.jobs];
    const known = [id, from, generation, format, head, report ?? null, next, this.#keep];
    const all = [...known, ...most.map((n) => n ?? null), MOST_ENDED];
    const text = `SELECT written, owed AS "owesTicket", is_full AS "isFull" FROM ${SCHEMA}.write_3(${places(all)})`;
    return this.#one<{ written: boolean; owesTicket: boolean; isFull: boolean }>(text, all);
  }

  async remove(id: string, generation: number): Promise<boolean> {
    const text = `SELECT ${SCHEMA}.remove_1($1, $2) AS removed`;
    return (await this.#one<{ removed: boolean }>(text, [id, generation])).removed;
  }

  async take(ticket: string): Promise<string | undefined> {
    const text = `SELECT ${SCHEMA}.take_3($1, $2) AS id`;
    for (;;) {
      const { id } = await this.#one<{ id: string | null }>(text, [ticket, OWNERS_A_STEP]);
      if (id !== "") return id ?? undefined;
    }
  }

  async takenWith(ticket: string): Promise<string | undefined> {
    return (await this.#query<{ id: string }>(`SELECT id FROM ${SCHEMA}.job WHERE ticket = $1`, [ticket]))[0]?.id;
  }

  async saveCheckpoint(id: string, generation: number, checkpoint?: Buffer): Promise<boolean> {
    const text = `UPDATE ${SCHEMA}.job SET checkpoint = $3 WHERE id = $1 AND generation = $2 RETURNING id`;
    return (await this.#query(text, [id, generation, checkpoint ?? null])).length > 0;
  }

  async checkpoint(id: string): Promise<Buffer | undefined> {
    const text = `SELECT checkpoint FROM ${SCHEMA}.job WHERE id = $1 AND expires_at > now()`;
    return (await this.#query<{ checkpoint: Buffer | null }>(text, [id]))[0]?.checkpoint ?? undefined;
  }

  async limit(owners: Parameters<Rows["limit"]>[0]): Promise<void> {
    await this.#query(`SELECT ${SCHEMA}.limit_1($1, $2)`, [
      owners.map(({ owner }) => owner),
      owners.map(({ running }) => mostOf(running)),
    ]);
  }

  async countOf(owner: string): Promise<Omit<OwnerCount, "owner">> {
    const { waiting, running } = await this.#one<OwnerCount>(
      `SELECT count(place)::int AS waiting, count(ticket)::int AS running FROM ${SCHEMA}.job
        WHERE owner = $1 AND (place IS NOT NULL OR ticket IS NOT NULL)`,
      [owner],
    );
    return { waiting, running };
  }

  counts(): Promise<OwnerCount[]> {
    return this.#query<OwnerCount>(
      `SELECT owner, count(place)::int AS waiting, count(ticket)::int AS running FROM ${SCHEMA}.job
        WHERE place IS NOT NULL OR ticket IS NOT NULL GROUP BY owner`,
    );
  }

  async countReady(): Promise<number> {
    await this.#query(`SELECT ${SCHEMA}.look_again_1()`);
    const { ready } = await this.#one<{ ready: number }>(
      `SELECT coalesce(sum(CASE WHEN t.most <> 0 THEN least(j.waiting, greatest(0, t.most - j.running)) ELSE j.waiting END), 0)::int
          AS ready
        FROM (SELECT owner, count(place) AS waiting, count(ticket) AS running FROM ${SCHEMA}.job
          WHERE place IS NOT NULL OR ticket IS NOT NULL GROUP BY owner) j JOIN ${SCHEMA}.tenant t USING (owner)`,
    );
    return ready;
  }

  async remember(name: string, text: string, keepMs: number): Promise<void> {
    await this.#query(
      `INSERT INTO ${SCHEMA}.known VALUES ($1, $2, now() + $3::interval)
        ON CONFLICT (name) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at`,
      [name, text, `${keepMs} milliseconds`],
    );
  }

  async recall(name: string): Promise<string | undefined> {
    const text = `SELECT text FROM ${SCHEMA}.known WHERE name = $1 AND expires_at > now()`;
    return (await this.#query<{ text: string }>(text, [name]))[0]?.text;
  }

  async swap(name: string, before: string | undefined, after: string, keepMs: number): Promise<boolean> {
    const keep = `clock_timestamp() + $3::interval`;
    const text =
      before === undefined
        ? `INSERT INTO ${SCHEMA}.known VALUES ($1, $2, ${keep}) ON CONFLICT (name) DO UPDATE
            SET text = excluded.text, expires_at = excluded.expires_at WHERE known.expires_at <= now() RETURNING name`
        : `UPDATE ${SCHEMA}.known SET text = $2, expires_at = ${keep}
            WHERE name = $1 AND text = $4 AND expires_at > now() RETURNING name`;
    const values = [name, after, `${keepMs} milliseconds`, ...(before === undefined ? [] : [before])];
    return (await this.#query(text, values)).length > 0;
  }

  async now(): Promise<number> {
    const text = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now";
    return (await this.#one<{ now: number }>(text)).now;
  }

  async expire(): Promise<void> {
    // What somebody has in hand is left for the next time.
    for (const table of ["job", "question", "known"].map((name) => `${SCHEMA}.${name}`)) {
      await this.#query(`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE expires_at < now() FOR UPDATE SKIP LOCKED))`);
    }
    await this.#query(`SELECT ${SCHEMA}.forget_owners_3()`);
  }

  async problem(): Promise<string | undefined> {
    // Refused as every write is, and otherwise nothing is written. What must be set up first takes its time.
    await this.#query(`UPDATE ${SCHEMA}.job SET place = place WHERE false`);
    const before = this.#clock();
    const there = await this.now();
    const after = this.#clock();
    // As far as it is certain: the answer was made at some moment between the two.
    const skewMs = Math.round(Math.max(before - there, 0) + Math.min(after - there, 0));
    if (Math.abs(skewMs) <= MOST_SKEW_MS) return undefined;
    const way = skewMs > 0 ? "ahead of" : "behind";
    return `The clock of this machine is ${Math.abs(skewMs) / 1000} s ${way} that of PostgreSQL, by which jobs of living workers would be taken away: set both by NTP, or use Redis`;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #rows(text: string, values: unknown[]): Promise<Row[]> {
    const found = await this.#query<Found>(text, values);
    return found.map(({ report, ...row }) => (report ? { ...row, report } : row));
  }

  async #one<T extends object>(text: string, values?: unknown[]): Promise<T> {
    return (await this.#query<T>(text, values))[0] as T;
  }

  async #query<T extends object>(text: string, values?: unknown[]): Promise<T[]> {
    this.#ready ??= this.#setUp().catch((error: unknown) => {
      // A database that comes back is asked again.
      this.#ready = undefined;
      throw error;
    });
    await this.#ready;
    return (await this.#pool.query<T>(text, values)).rows;
  }
}

/** `$1, $2, …` */
function places(values: readonly unknown[]): string {
  return values.map((_, index) => `$${index + 1}`).join(", ");
}
