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
  if (ofSession >= MOST_OF_SESSION) throw new BusyError(`${ofSession} researches of this client wait or run already`);
  if (own.length >= MOST_OF_OWNER) throw new BusyError(`${own.length} researches wait or run already`);
}

function mustKeepTo({ running, queued }: OwnerLimits, asker: Asker, turns: Turns): void {
  const waiting = turns.waitingOf(asker.owner);
  const few = (count: number) => `${count} ${count === 1 ? "research" : "researches"}`;
  if (running === 0) throw new BusyError("no research may be asked for", { scope: "tenant" });
  if (queued === undefined || waiting < queued || turns.isFree(asker)) return;
  const what = running === undefined ? "" : `${few(running)} may run and `;
  throw new BusyError(`${what}${few(queued)} may wait`, { scope: "tenant" });
}
