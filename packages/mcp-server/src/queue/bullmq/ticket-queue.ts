import type { Job, Queue, QueueEvents, QueueEventsProducer, Worker } from "bullmq";
import type { Log } from "../../host/log.js";
import { within } from "../../host/within.js";
import {
  AGAIN_MS,
  type JobMessage,
  type JobQueue,
  type Left,
  MOST_TRIES,
  type Taking,
  type Work,
} from "../../jobs/job-queue.js";
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
  /** Forgets what was told in a queue of messages more than so many milliseconds ago. */
  forget(name: string, olderMs: number): Promise<unknown>;
  /** What a worker throws whose ticket is back in the queue. */
  WaitingError: new () => Error;
}

interface Parts {
  tickets: Queue;
  producer: QueueEventsProducer;
  events: QueueEvents;
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
/** They say what a research looks for, and only who listens now is to hear it: a minute with the time between two looks. */
const MESSAGES_MS = 50_000;
const FORGET_MS = 10_000;
/** How often tickets are counted that a process lost between two steps. */
const MEND_MS = 10_000;
const CLOSE_MS = 1_000;

export interface TicketQueueOptions {
  bull: Bull;
  rows: Rows;
  log: Log;
  /** A job whose work fails is tried again so long after. Default: 3 s. */
  againMs?: number | undefined;
  /** What processes told each other is kept for so long, and up to 10 s more. Default: 50 s. */
  messagesMs?: number | undefined;
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
  #opened: Promise<Parts> | undefined;
  readonly #listeners = new Set<(message: JobMessage) => void>();
  readonly #workers = new Set<Worker>();
  #forgetting: NodeJS.Timeout | undefined;

  constructor(options: TicketQueueOptions) {
    this.#options = options;
  }

  /** What BullMQ could not reach at first it never reaches: it is made when the store answers, and else again. */
  #open(): Promise<Parts> {
    this.#opened ??= this.#make().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #make(): Promise<Parts> {
    const { bull, rows } = this.#options;
    await rows.now();
    const parts: Parts = {
      tickets: this.#quiet(bull.queue(TICKETS)),
      producer: this.#quiet(bull.producer(MESSAGES) as never),
      events: this.#quiet(bull.events(MESSAGES) as never),
    };
    const { events } = parts as { events: { on(event: string, hear: (args: unknown) => void): unknown } };
    events.on(MESSAGE, (args) => this.#hear(args));
    try {
      await Promise.all(Object.values(parts).map((part) => part.waitUntilReady()));
      // Older servers have set them for all keys; now each key has its own.
      await Promise.all([parts.tickets.removeGlobalRateLimit(), parts.tickets.removeGlobalConcurrency()]);
    } catch (error) {
      await closeAll(parts);
      throw error;
    }
    this.#forget();
    return parts;
  }

  /** Whoever has the queue open does it: a worker may not be there for days. */
  #forget(): void {
    const { bull, messagesMs = MESSAGES_MS } = this.#options;
    const forget = () => void bull.forget(MESSAGES, messagesMs).catch(() => {});
    forget();
    clearInterval(this.#forgetting);
    this.#forgetting = setInterval(forget, FORGET_MS).unref();
  }

  async wake(jobs = 1): Promise<void> {
    const { againMs = AGAIN_MS } = this.#options;
    const options = { removeOnComplete: true, attempts: MOST_TRIES, backoff: { type: "fixed", delay: againMs } };
    const { tickets } = await this.#open();
    await tickets.addBulk(Array.from({ length: jobs }, () => ({ name: "ticket", data: {}, opts: options })));
  }

  async catchUp(): Promise<void> {
    const { tickets } = await this.#open();
    const ready = await this.#options.rows.countReady();
    const waiting = await tickets.getJobCountByTypes("waiting", "prioritized", "delayed");
    if (ready > waiting) await this.wake(ready - waiting);
  }

  async work(concurrency: number, work: Work): Promise<Taking> {
    const { bull } = this.#options;
    const { tickets } = await this.#open();
    const stopping = new AbortController();
    const worker = this.#quiet(
      bull.worker(
        TICKETS,
        async (ticket, token, lost) => {
          const restsMs = await work.restsMs();
          if (restsMs > 0) rest(worker, restsMs, stopping.signal);
          const left = restsMs > 0 ? "given-back" : await this.#use(ticket, work, [stopping.signal, lost]);
          if (left === "done") return;
          await ticket.moveToWait(token);
          await toTheLine(ticket, left);
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
    // On PostgreSQL BullMQ puts the ticket of a dead worker behind all others.
    worker.on("stalled", async (id) => toTheLine(await tickets.getJob(id).catch(() => undefined), "given-back"));
    this.#workers.add(worker);
    try {
      await worker.waitUntilReady();
    } catch (error) {
      this.#workers.delete(worker);
      void worker.close(true);
      throw error;
    }
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

  /** Does the job of a ticket. */
  async #use(ticket: Job, work: Work, signals: readonly (AbortSignal | undefined)[]): Promise<Left> {
    const id = await this.#options.rows.take(String(ticket.id));
    if (id === undefined) return "done";
    return work.do({ id, signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)) });
  }

  async publish(message: JobMessage): Promise<void> {
    const body = JSON.stringify(message);
    const { producer } = await this.#open();
    await producer.publishEvent({ eventName: MESSAGE, body }, MOST_MESSAGES);
  }

  subscribe(listener: (message: JobMessage) => void): () => void {
    this.#listeners.add(listener);
    void this.#open().catch(() => {});
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    const closed = Promise.all([...this.#workers].map((worker) => worker.close(true)));
    closed.catch(() => {});
    await within(CLOSE_MS, closed);
    const opening = this.#opened?.then((parts) => {
      clearInterval(this.#forgetting);
      return closeAll(parts);
    });
    opening?.catch(() => {});
    await within(2 * CLOSE_MS, opening);
  }

  /** Makes good what a process left undone that died between two steps, and ends what kills its workers. */
  async #mend(): Promise<void> {
    const { rows, onHopeless } = this.#options;
    const { tickets: queue } = await this.#open();
    for (const ticket of await queue.getFailed(0, 99)) {
      const id = await rows.takenWith(String(ticket.id));
      if (id !== undefined) await onHopeless(id);
      await ticket.remove();
    }
    // Jobs of an owner at its limit have no ticket: each gets one when another ends.
    await this.catchUp();
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

/** A worker takes no ticket for so long; those of other keys do. */
function rest(worker: Worker, ms: number, stopping: AbortSignal): void {
  if (worker.isPaused() || stopping.aborted) return;
  void worker.pause(true);
  const resume = () => {
    clearTimeout(timer);
    stopping.removeEventListener("abort", resume);
    if (!stopping.aborted) void worker.resume();
  };
  const timer = setTimeout(resume, ms);
  stopping.addEventListener("abort", resume);
}

/** Puts a ticket that waits where it belongs: what it is where BullMQ has put it, is another on each engine. */
async function toTheLine(ticket: Job | undefined, left: Left): Promise<void> {
  await ticket?.changePriority({ priority: 0, lifo: left === "given-back" }).catch(() => {});
}

async function closeAll(parts: Parts): Promise<void> {
  const all: (Queue | QueueEventsProducer | QueueEvents)[] = Object.values(parts);
  const closed = Promise.all(all.map((part) => part.close()));
  closed.catch(() => {});
  // BullMQ waits for a connection that is not there.
  await within(CLOSE_MS, closed);
  for (const part of all) void Promise.resolve(part.disconnect()).catch(() => {});
}
