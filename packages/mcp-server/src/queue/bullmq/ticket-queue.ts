import type { Job, Queue, QueueEvents, QueueEventsProducer, Worker } from "bullmq";
import type { Log } from "../../host/log.js";
import { within } from "../../host/within.js";
import type { JobMessage, JobQueue, Lease, Left, QueueLimits, Taking } from "../job-queue.js";
import type { Rows } from "../rows.js";

/** BullMQ's classes, bound to Redis or PostgreSQL. */
export interface Bull {
  queue(name: string): Queue;
  worker(
    name: string,
    work: (ticket: Job, token?: string, signal?: AbortSignal) => Promise<void>,
    options: object,
  ): Worker;
  events(name: string): QueueEvents;
  producer(name: string): QueueEventsProducer;
  /** What a worker throws whose ticket is back in the queue. */
  WaitingError: new () => Error;
}

const TICKETS = "mcp-server-tickets";
const MESSAGES = "mcp-server-messages";
const MESSAGE = "job";
/** A lease without a sign of life. With two looks of the sweep it ends within 25 s. */
const LEASE_MS = 15_000;
const LOOK_MS = 5_000;
/** A job whose workers died so often is what kills them. */
const MOST_DEATHS = 10;
const MOST_MESSAGES = 10_000;
/** How often tickets are counted that a process lost between two steps. */
const MEND_MS = 10_000;
const MINUTE_MS = 60_000;
const CLOSE_MS = 1_000;
/** As good as none: what holds jobs back for a time needs a limit to be set. */
const NO_RATE = 1_000_000;

export interface TicketQueueOptions {
  bull: Bull;
  rows: Rows;
  log: Log;
  /** Ends a job whose workers died too often. */
  onHopeless(id: string): Promise<void>;
}

/**
 * Tickets in a queue of BullMQ: so many as jobs wait, and none names its job. Which one is done for a ticket is chosen in
 * the store when it is taken, for BullMQ knows no tenants. It stays with the ticket: when a worker dies, BullMQ gives its
 * ticket to another one, and with it the job.
 */
export class TicketQueue implements JobQueue {
  readonly #options: TicketQueueOptions;
  readonly #tickets: Queue;
  readonly #producer: QueueEventsProducer;
  readonly #events: QueueEvents;
  readonly #listeners = new Set<(message: JobMessage) => void>();
  readonly #workers = new Set<Worker>();

  constructor(options: TicketQueueOptions) {
    const { bull } = options;
    this.#options = options;
    this.#tickets = this.#quiet(bull.queue(TICKETS));
    this.#producer = this.#quiet(bull.producer(MESSAGES) as never);
    this.#events = this.#quiet(bull.events(MESSAGES) as never);
    (this.#events as { on(event: string, hear: (args: unknown) => void): unknown }).on(MESSAGE, (args) =>
      this.#hear(args),
    );
  }

  async wake(jobs = 1): Promise<void> {
    const options = { removeOnComplete: true, attempts: 1 };
    await this.#tickets.addBulk(Array.from({ length: jobs }, () => ({ name: "ticket", data: {}, opts: options })));
  }

  async work(concurrency: number, work: (lease: Lease) => Promise<Left>): Promise<Taking> {
    const { bull, rows } = this.#options;
    const stopping = new AbortController();
    const worker = this.#quiet(
      bull.worker(
        TICKETS,
        async (ticket, token, lost) => {
          const id = await rows.take(String(ticket.id));
          if (id === undefined) return;
          const signal = lost === undefined ? stopping.signal : AbortSignal.any([stopping.signal, lost]);
          if ((await work({ id, signal })) === "done") return;
          await ticket.moveToWait(token);
          throw new bull.WaitingError();
        },
        {
          ...{ concurrency, lockDuration: LEASE_MS, stalledInterval: LOOK_MS, maxStalledCount: MOST_DEATHS },
          // After an error of the store.
          runRetryDelay: 1_000,
        },
      ),
    );
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id, "lost");
    });
    this.#workers.add(worker);
    const mend = setInterval(() => void this.#mend().catch(() => {}), MEND_MS);
    return {
      close: async () => {
        clearInterval(mend);
        stopping.abort("closing");
        await worker.close();
        this.#workers.delete(worker);
      },
    };
  }

  async publish(message: JobMessage): Promise<void> {
    const body = JSON.stringify(message);
    await this.#producer.publishEvent({ eventName: MESSAGE, body }, MOST_MESSAGES);
  }

  subscribe(listener: (message: JobMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async pause(ms: number): Promise<void> {
    await this.#tickets.rateLimit(ms);
  }

  async limit({ running, perMinute = NO_RATE }: QueueLimits): Promise<void> {
    await this.#tickets.setGlobalRateLimit(perMinute, MINUTE_MS);
    if (running === undefined) await this.#tickets.removeGlobalConcurrency();
    else await this.#tickets.setGlobalConcurrency(running);
  }

  async close(): Promise<void> {
    const parts = [this.#tickets, this.#producer, this.#events];
    const closed = Promise.all([
      ...[...this.#workers].map((worker) => worker.close(true)),
      ...parts.map((part) => part.close()),
    ]);
    closed.catch(() => {});
    // BullMQ waits for a connection that has never been there.
    await within(CLOSE_MS, closed);
    for (const part of parts) void Promise.resolve(part.disconnect()).catch(() => {});
  }

  /** Makes good what a process left undone that died between two steps, and ends what kills its workers. */
  async #mend(): Promise<void> {
    const { rows, onHopeless } = this.#options;
    for (const ticket of await this.#tickets.getFailed(0, 99)) {
      const id = await rows.takenWith(String(ticket.id));
      if (id !== undefined) await onHopeless(id);
      await ticket.remove();
    }
    const waiting = (await rows.counts()).reduce((sum, count) => sum + count.waiting, 0);
    const tickets = await this.#tickets.getJobCountByTypes("waiting", "prioritized", "delayed");
    if (waiting > tickets) await this.wake(waiting - tickets);
    await rows.expire();
  }

  #hear(args: unknown): void {
    const { body } = args as { body?: unknown };
    if (typeof body !== "string") return;
    const message = JSON.parse(body) as JobMessage;
    for (const listener of this.#listeners) listener(message);
  }

  /** The store may be away: whoever asks it is told so, and BullMQ tries again by itself. */
  #quiet<T extends { on(event: "error", hear: (error: Error) => void): unknown }>(part: T): T {
    part.on("error", (error) => this.#options.log("debug", `Queue: ${error.message}`));
    return part;
  }
}
