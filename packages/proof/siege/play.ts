import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { dangersIn } from "./dangers.js";
import { exchange, messagesOf, type Reply, type Sent } from "./exchange.js";
import type { Fortress } from "./fortress.js";
import { type Abuse, type Ground, playOf, runsIn } from "./ground.js";
import { Peer, type Who } from "./peer.js";

/** What came of an abuse, played once. */
export interface Played {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** What was seen, in a few words. */
  said: string;
  /** What should not have been; none when it holds. */
  problems: string[];
  /** The server ended or froze meanwhile. */
  outlived: boolean;
}

const UNDO_LIMIT_MS = 60_000;
/** Numbers of questions: those below are the well-behaved client's. */
let lastNumber = 1_000_000;

/** Does one abuse to the server, undoes it, and waits until the server is well again. */
export async function play(abuse: Abuse, fortress: Fortress): Promise<Played> {
  const { generation } = fortress;
  const from = Date.now();
  const limit = AbortSignal.timeout(abuse.withinMs);
  // Each of many requests listens to it.
  setMaxListeners(0, limit);
  const undoing: (() => unknown)[] = [];
  const problems = new Set<string>();
  const ground = groundFor(abuse, fortress, { limit, undoing, problems });
  let said = "–";
  try {
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener("abort", () => {
        // Who waits for the same signal says better what it waited for.
        setTimeout(() => reject(new Error(`not over within ${abuse.withinMs / 1_000} s`)), 1_000).unref();
      });
    });
    said = await Promise.race([abuse.play(ground), late]);
  } catch (error) {
    const { name, message } = error as Error;
    const late = name === "TimeoutError" || (limit.aborted && message.includes("aborted"));
    problems.add(late ? `not over within ${abuse.withinMs / 1_000} s` : message);
  }
  const to = Date.now();
  for (const undo of undoing.reverse()) {
    const undone = Promise.resolve(undo()).catch(() => {});
    await Promise.race([undone, sleep(UNDO_LIMIT_MS, undefined, { ref: false })]);
  }
  await untilWell(fortress);
  const outlived = fortress.generation !== generation;
  return { from, to, said, problems: [...problems], outlived };
}

interface Parts {
  limit: AbortSignal;
  undoing: (() => unknown)[];
  problems: Set<string>;
}

function groundFor(abuse: Abuse, fortress: Fortress, { limit, undoing, problems }: Parts): Ground {
  const { port, token, sandbox, person, server } = fortress;
  async function inspected(sent: Sent): Promise<Reply> {
    // What is undone afterwards has its own time.
    const reply = await exchange(port, sent, limit.aborted ? undefined : limit);
    for (const message of messagesOf(reply)) for (const danger of dangersIn(message)) problems.add(danger);
    return reply;
  }
  const question = (name: string) => {
    lastNumber += 1;
    return `How high are the tides? play-${name}.${lastNumber}`;
  };
  return {
    port,
    token,
    pid: server.pid,
    person,
    sandbox: sandbox.folder,
    signal: limit,
    exchange: inspected,
    question,
    ownQuestion: () => question(playOf(abuse)),
    async open(who?: Who) {
      const peer = await Peer.open(inspected, token, who);
      undoing.push(() => peer.close());
      return peer;
    },
    runsOf: (asked) => runsIn(fortress.runs, asked),
    diskBytes: () => fortress.diskBytes(),
    later: (undo) => undoing.push(undo),
  };
}

/** A server that does not answer at all is killed by the one who watches it. */
async function untilWell(fortress: Fortress): Promise<void> {
  for (let i = 0; i < 30; i++) {
    await fortress.ready();
    if (fortress.isLost) return;
    const health = { method: "GET", path: "/health", timeoutMs: 2_000 };
    const reply = await exchange(fortress.port, health).catch(() => undefined);
    if (reply?.status === 200) return;
    await sleep(500);
  }
}
