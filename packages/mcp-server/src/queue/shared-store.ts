import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ResearchError, type RunStore } from "@x/research";
import { InOrder } from "../jobs/in-order.js";
import {
  asJobHead,
  asJobRecord,
  headOf,
  isJobId,
  type JobHead,
  type JobRecord,
  keyOf,
  ownerOf,
} from "../jobs/job-record.js";
import type { JobStore, Next, OnEnded, Saved } from "../jobs/job-store.js";
import { noRoom } from "../jobs/room.js";
import type { OwnerLimits } from "../jobs/turns.js";
import { kept, type OwnerCount, type Room, type Row, type Rows, type Write } from "./rows.js";

/** Of the layout of what is kept. A server leaves alone what a newer one has written. */
const FORMAT = 1;

const pack = async (value: unknown): Promise<Buffer> => promisify(gzip)(JSON.stringify(value));
/** A report or a checkpoint is far smaller; what unpacks to more was not written by us. */
const LONGEST = 256 * 1024 * 1024;
/** `undefined`: it is damaged. */
async function unpack(packed: Buffer): Promise<unknown> {
  try {
    return JSON.parse((await promisify(gunzip)(packed, { maxOutputLength: LONGEST })).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The records of jobs in an engine: heads as JSON, reports and checkpoints compressed. */
export class SharedStore implements JobStore {
  readonly rows: Rows;
  readonly #now: () => number;
  /** Several connections keep no order, and a job that has ended would run for ever. */
  readonly #writes = new InOrder();
  /** Called when a ticket is owed: somebody who waits may go on. */
  onOwed: () => void = () => {};
  /** Called when a job has ended or stopped by what was written here. */
  onEnded: OnEnded = () => {};

  constructor(rows: Rows, now: () => number) {
    this.rows = rows;
    this.#now = now;
  }

  async create(record: JobRecord, after: string | undefined, limits: OwnerLimits = {}): Promise<boolean> {
    const owner = nameOf(ownerOf(record));
    const key = hashOf(keyOf(ownerOf(record), record.tool, record.request));
    const created = await this.rows.create({ ...rowOf(record), owner, key, after, room: roomOf(limits) });
    if (created === "full") throw noRoom(limits);
    return created === "created";
  }

  async load(id: string, owner?: string): Promise<JobRecord | undefined> {
    return isJobId(id) ? recordIn(await this.rows.row(id, owner && nameOf(owner))) : undefined;
  }

  async head(id: string): Promise<JobHead | undefined> {
    return isJobId(id) ? headIn(await this.rows.head(id)) : undefined;
  }

  async atRest(ids: readonly string[]): Promise<string[]> {
    const running = new Set<string>();
    for (const row of await this.rows.heads(ids.filter(isJobId))) {
      if (headIn(row)?.state === "running") running.add(row.id);
    }
    return ids.filter((id) => !running.has(id));
  }

  async last(key: string): Promise<{ id: string; head?: JobHead } | undefined> {
    const id = await this.rows.lastOf(hashOf(key));
    if (id === undefined) return undefined;
    const head = await this.head(id);
    return head === undefined ? { id } : { id, head };
  }

  async list(owner: string, max: number): Promise<JobHead[]> {
    for (let asked = max; ; ) {
      const rows = await this.rows.headsOf(nameOf(owner), asked);
      const heads = rows.map(headIn).filter((head) => head !== undefined);
      if (heads.length >= max || rows.length < asked) return heads.slice(0, max);
      // Some of them cannot be read: others stand behind them.
      asked = max + rows.length - heads.length;
    }
  }

  async save(
    record: JobRecord,
    next: Next = "keep",
    from = record.generation ?? 0,
    limits?: OwnerLimits,
  ): Promise<Saved> {
    record.updatedAt = new Date(this.#now()).toISOString();
    const row: Write = { ...rowOf(record), from, next, room: limits && roomOf(limits) };
    const report = next === "end" ? record.report : undefined;
    const state = next === "stop" || next === "end" ? record.state : "running";
    return this.#writes.do(record.id, async () => {
      if (report !== undefined) row.report = await pack(report);
      const { written, owesTicket, isFull } = await this.rows.write(row);
      if (isFull) throw noRoom({ ...limits });
      if (owesTicket) this.onOwed();
      if (written && state !== "running") this.onEnded(ownerOf(record), state);
      return written ? "saved" : "superseded";
    });
  }

  remove({ id, generation = 0 }: Pick<JobRecord, "id" | "generation">): Promise<boolean> {
    return this.rows.remove(id, generation);
  }

  roundsOf({ id, generation = 0 }: Pick<JobRecord, "id" | "generation">): RunStore {
    const { rows } = this;
    return {
      async load(researchId) {
        const packed = await rows.checkpoint(id);
        const state = packed && (await unpack(packed));
        return (state as { id?: unknown } | undefined)?.id === researchId ? state : undefined;
      },
      async save(_researchId, state) {
        if (await rows.saveCheckpoint(id, generation, await pack(state))) return;
        throw new ResearchError("CANCELLED", "Another worker has gone on with this research, or it was cancelled.");
      },
      list: async () => [],
      async remove() {
        await rows.saveCheckpoint(id, generation, undefined);
      },
    };
  }

  /**
   * Why a job that waits cannot be loaded: there is none, a newer server has written it, or it is damaged. Nobody works on a
   * damaged one any more; what there is of it stays for its time.
   */
  async setAside(id: string): Promise<"gone" | "newer" | "damaged"> {
    const row = await this.rows.head(id);
    if (row === undefined) return "gone";
    if (row.format > FORMAT) return "newer";
    const { written, owesTicket } = await this.rows.write({
      ...{ ...row, from: row.generation, generation: row.generation + 1, next: "end" },
    });
    if (owesTicket) this.onOwed();
    return written ? "damaged" : "gone";
  }

  /** What owners may have from now on, of their jobs that wait, too. */
  async limit(limits: ReadonlyMap<string, OwnerLimits>): Promise<void> {
    await this.rows.limit([...limits].map(([owner, { running }]) => ({ owner: nameOf(owner), running })));
  }

  /** Who waits and runs: all, or one owner. */
  async counts(owner?: string): Promise<OwnerCount[]> {
    if (owner === undefined) return this.rows.counts();
    const name = nameOf(owner);
    return [{ owner: name, ...(await this.rows.countOf(name)) }];
  }
}

/** An owner as the engine and the metrics name it: by its name where that is a plain word. */
function nameOf(owner: string): string {
  return /^[\w.:@-]{1,100}$/.test(owner) ? owner : hashOf(owner);
}

/** A question may be long, and hold anything. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

/** What is on its way to a worker is in the line, too: of those that may wait there is room for one at least. */
function roomOf({ running, queued }: OwnerLimits): Room {
  if (queued === undefined) return { running, jobs: undefined };
  return { running, jobs: kept(running === undefined ? Math.max(1, queued) : running + queued) };
}

function rowOf(record: JobRecord): Row {
  const { id, generation = 0 } = record;
  return { id, generation, format: FORMAT, head: JSON.stringify(headOf(record)) };
}

function headIn(row: Row | undefined): JobHead | undefined {
  return row === undefined || row.format > FORMAT ? undefined : asJobHead(parsed(row.head));
}

async function recordIn(row: Row | undefined): Promise<JobRecord | undefined> {
  if (row === undefined || row.format > FORMAT) return undefined;
  const head = parsed(row.head);
  return asJobRecord(row.report === undefined ? head : { ...head, report: await unpack(row.report) });
}

/** `undefined`: it is damaged. */
function parsed(head: string): object | undefined {
  try {
    return JSON.parse(head);
  } catch {
    return undefined;
  }
}
