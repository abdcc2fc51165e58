import { BusyError } from "./busy.js";
import type { LocalJob } from "./job.js";
import type { Asker, OwnerLimits, Turns } from "./turns.js";

/** Jobs that run or wait. */
const MOST_OF_SESSION = 100;
const MOST_OF_OWNER = 400;

/** Throws a `BusyError` when whoever asks has enough jobs. */
export function mustHaveRoom(asker: Asker, jobs: readonly LocalJob[], turns: Turns): void {
  const { owner, session, limits = {} } = asker;
  mustKeepTo(limits, asker, turns);
  const own = jobs.filter(({ asker }) => asker.owner === owner);
  const ofSession = own.filter(({ asker }) => asker.session === session).length;
  const next = "Ask again when one of them has ended.";
  if (ofSession >= MOST_OF_SESSION)
    throw new BusyError(`${ofSession} researches of this client wait or run already`, { next });
  if (own.length >= MOST_OF_OWNER) throw new BusyError(`${own.length} researches wait or run already`, { next });
}

function mustKeepTo(limits: OwnerLimits, asker: Asker, turns: Turns): void {
  mayAsk(limits);
  const { queued } = limits;
  if (queued === undefined || turns.waitingOf(asker.owner) < queued || turns.isFree(asker)) return;
  throw noRoom(limits);
}

/** Throws a `BusyError` when an owner may have no research at all. */
export function mayAsk({ running }: OwnerLimits): void {
  if (running !== 0) return;
  throw new BusyError("no research may be asked for", {
    ...{ scope: "tenant", limits: ["running"], next: "Tell the user; do not retry." },
  });
}

/** What is said to an owner that has as many researches as its limits allow. */
export function noRoom({ running, queued = 0 }: OwnerLimits): BusyError {
  const few = (count: number) => `${count} ${count === 1 ? "research" : "researches"}`;
  const what = running === undefined ? "" : `${few(running)} may run and `;
  const next = "Ask again when one of its researches has ended.";
  const limits = running === undefined ? ["queued"] : ["running", "queued"];
  return new BusyError(`${what}${few(queued)} may wait`, { scope: "tenant", next, limits });
}
