/** What must hold after a load, and whether it does. */

/** Caches fill and code is compiled during the first part: what is there then is the base. */
const WARM = 0.3;
/** So many looks together, of which the least counts: what is about to be collected only adds to one, a leak to all. */
const LOOKS = 3;
/** In ten minutes, a leak of 4 KiB a call is above this; the noise of a collected heap is below. */
const HEAP_GROWTH_MIB = 3;
/** Without what V8 keeps for new objects: it is empty by then, and has from 1 to 16 MiB, as much as was allocated at once. */
const RESIDENT_GROWTH = 1.2;
const LONGEST_EXIT_MS = 1_000;

const least = (values) => Math.min(...values);

/** @returns {{ what: string, measured: string, ok: boolean }[]} */
export function judge({ looks, afterwards, exitMs, files }) {
  const warm = looks[Math.floor(looks.length * WARM)];
  const last = looks.at(-1);
  const each = (measure) => last.seen.map((_, i) => measure(i));
  const from = looks.indexOf(warm);
  const base = (i, measure) => least(looks.slice(from, from + LOOKS).map(({ seen }) => measure(seen[i])));
  const end = (i, measure) => least(looks.slice(-LOOKS).map(({ seen }) => measure(seen[i])));
  const heapOf = ({ heapMiB }) => heapMiB;
  const residentOf = ({ residentMiB, youngMiB }) => residentMiB - youngMiB;
  const heap = each((i) => end(i, heapOf) - base(i, heapOf));
  const resident = each((i) => end(i, residentOf) / base(i, residentOf));
  const lefts = looks.flatMap(({ left }) => left);
  const still = lefts.reduce((sum, { processes }) => sum + processes, 0);
  const open = each((i) => {
    const { socket: _, all: __, ...before } = warm.seen[i].descriptors;
    const { descriptors } = last.seen[i];
    return Object.keys(before).reduce((sum, kind) => sum + descriptors[kind] - before[kind], 0);
  });
  const leftBetween = new Set(lefts.flatMap(({ files }) => files));
  const most = (values) => Math.max(...values);
  return [
    verdict(
      "heap after collection does not grow",
      `${most(heap).toFixed(1)} MiB more at the end than after the first ${WARM * 100} %`,
      most(heap) <= HEAP_GROWTH_MIB,
    ),
    verdict("resident memory does not grow", `× ${most(resident).toFixed(2)}`, most(resident) <= RESIDENT_GROWTH),
    verdict("no process is left when no call runs", `${still}`, still === 0),
    verdict("files and pipes open do not grow", `${most(open)} more`, most(open) <= 0),
    sockets("no connection is left when no call runs, but the one that each client listens on", lefts),
    sockets("no connection is left when the clients are gone", afterwards),
    verdict(
      "no file of a run is left",
      [...leftBetween, ...files].join(", ") || "none",
      leftBetween.size + files.length === 0,
    ),
    verdict(`exit within ${LONGEST_EXIT_MS} ms`, `${most(exitMs).toFixed(0)} ms`, most(exitMs) <= LONGEST_EXIT_MS),
  ];
}

function sockets(what, lefts) {
  const most = Math.max(...lefts.map(({ sockets }) => sockets));
  return verdict(what, `${most}`, most === 0);
}

function verdict(what, measured, ok) {
  return { what, measured, ok };
}
