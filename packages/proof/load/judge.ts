import type { Run } from "./cli-log.js";

/** A worker that was killed. */
export interface Kill {
  /** Name of the process. */
  worker: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A time in which the store did not answer. */
export interface Outage {
  from: number;
  to: number;
}

/** From the end of a run to the moment when what it found must be in the store, where it was not seen to take longer. */
const STORING_MS = 1_000;

/**
 * Rounds that ran again although nothing kept them from being stored the first time: no kill of their worker, no outage
 * of the store while they ran or right afterwards.
 */
export function repeatedRounds(
  runs: readonly Run[],
  kills: readonly Kill[],
  outages: readonly Outage[] = [],
): { mark: string; round: number; runs: Run[] }[] {
  const storingMs = longestStoring(runs);
  return grouped(runs, ({ mark, round }) => `${mark} ${round}`)
    .map((same) => same.filter((run) => !isExcused(run, kills, outages, storingMs)))
    .filter((same) => same.length > 1)
    .map((same) => ({ mark: same[0]?.mark ?? "", round: same[0]?.round ?? 0, runs: same }));
}

/** The longest time from the end of a run to the next round of its job in the same worker: by then it was stored. */
export function longestStoring(runs: readonly Run[]): number {
  const next = new Map(runs.map((run) => [`${run.by} ${run.mark} ${run.round}`, run.start]));
  const times = runs.map(({ by, mark, round, end }) => {
    const start = next.get(`${by} ${mark} ${round + 1}`);
    return start === undefined || end === undefined ? 0 : start - end;
  });
  return times.reduce((longest, ms) => Math.max(longest, ms), STORING_MS);
}

/** What notes itself after its worker was killed was started before: it is the worker's all the same, and nobody hears it. */
function isExcused(run: Run, kills: readonly Kill[], outages: readonly Outage[], storingMs: number): boolean {
  const until = (run.end ?? Number.POSITIVE_INFINITY) + storingMs;
  return (
    kills.some(({ worker, at }) => worker === run.by && at <= until) ||
    outages.some(({ from, to }) => from <= until && to >= run.start)
  );
}

/**
 * For each job that a kill hit in the middle of a run: milliseconds until its next run, none when there was none. What
 * the fake CLI says after its worker was killed, nobody hears.
 */
export function recoveries(runs: readonly Run[], kills: readonly Kill[]): { mark: string; ms: number | undefined }[] {
  return kills.flatMap(({ worker, at }) =>
    runs
      .filter((run) => run.by === worker && run.start <= at && (run.end ?? Number.POSITIVE_INFINITY) >= at)
      .map(({ mark }) => {
        const starts = runs.filter((run) => run.mark === mark && run.start > at).map(({ start }) => start);
        return { mark, ms: starts.length === 0 ? undefined : Math.min(...starts) - at };
      }),
  );
}

/** Most runs at one time. */
export function mostAtOnce(runs: readonly Run[]): number {
  const changes = runs
    .flatMap(({ start, end = Number.POSITIVE_INFINITY }) => [
      { at: start, by: 1 },
      { at: end, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  return changes.reduce((most, { by }) => {
    now += by;
    return Math.max(most, now);
  }, 0);
}

/** What is wrong with a report that should hold rounds 1 to `rounds` of this question, each once and by one real run. */
export function faultsOf(report: string, mark: string, rounds: number, runs: readonly Run[]): string[] {
  const lines = [...report.matchAll(/^- round (\d+) of (\S+) by (\d+)$/gm)].map(([, round, of, by]) => ({
    round: Number(round),
    of,
    by: Number(by),
  }));
  const foreign = lines.filter(({ of }) => of !== mark);
  if (foreign.length > 0) return [`holds a line of ${foreign[0]?.of}`];
  const said = lines.map(({ round }) => round).join(" ");
  const due = Array.from({ length: rounds }, (_, i) => i + 1).join(" ");
  if (said !== due) return [`holds rounds ${said || "none"}, expected ${due}`];
  const unknown = lines.find(
    ({ round, by }) => !runs.some((run) => run.pid === by && run.mark === mark && run.round === round && run.end),
  );
  return unknown === undefined ? [] : [`round ${unknown.round} comes from run ${unknown.by}, which is not in the log`];
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
