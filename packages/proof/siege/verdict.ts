import { quantile } from "../measure/statistics.mjs";
import type { CallSample, HealthSample } from "./witness.js";

/** What one siege showed. */
export interface Siege {
  calls: readonly CallSample[];
  health: readonly HealthSample[];
  /** Most resident memory of any server process. */
  peakMB: number;
  diskMB: number;
  /** Each time the server ended while it should have worked. */
  ends: readonly string[];
  /** How many abuses there are, and how many came out as they must. */
  abuses: { played: number; held: number; of: number };
  /** What the log holds that does something to a terminal. */
  dangersInLog: readonly string[];
  left: { descriptors: readonly string[]; processes: readonly string[]; files: readonly string[] };
  /** From SIGTERM to the exit; none when it had to be killed. */
  exitMs: number | undefined;
}

export interface Line {
  what: string;
  measured: string;
  ok: boolean;
}

const HEALTH_P99_MS = 100;
/** No single text may hold everybody else up; what a busy machine does to an idle program stays below. */
const HEALTH_LONGEST_MS = 1_000;
const MEMORY_MB = 400;
/** 64 MiB of output for each of two runs at once, and the reports that are kept. */
const DISK_MB = 500;
const EXIT_MS = 2_000;
/** What a look without an answer counts as, however soon it came to nothing. */
const UNANSWERED_MS = 10_000;

/** What must hold of a server under siege, and whether it did. */
export function judge(siege: Siege): Line[] {
  const { calls, health, peakMB, diskMB, ends, abuses, left, exitMs, dangersInLog } = siege;
  const failed = calls.filter((call) => call.failed !== undefined);
  const silent = health.filter(({ lost }) => lost).length;
  const [p99, longest] = [0.99, 1].map((p) => quantile(timesOf(health), p)) as [number, number];
  return [
    line(
      "every call of the well-behaved client is answered",
      `${calls.length - failed.length} of ${calls.length}${failed[0] ? `; first: ${failed[0].failed}` : ""}`,
      calls.length > 0 && failed.length === 0,
    ),
    line(
      "every look at `/health` is answered",
      `${health.length - silent} of ${health.length}`,
      health.length > 0 && silent === 0,
    ),
    line(`\`/health\` p99 below ${HEALTH_P99_MS} ms`, `${p99.toFixed(0)} ms`, p99 < HEALTH_P99_MS),
    line(
      `no look at \`/health\` takes ${HEALTH_LONGEST_MS} ms`,
      `${longest.toFixed(0)} ms`,
      longest < HEALTH_LONGEST_MS,
    ),
    line(`memory below ${MEMORY_MB} MB`, `${peakMB.toFixed(0)} MB`, peakMB > 0 && peakMB < MEMORY_MB),
    line(`disk below ${DISK_MB} MB`, `${diskMB.toFixed(0)} MB`, diskMB < DISK_MB),
    line(
      "the server neither ends nor freezes",
      ends.length === 0 ? "it works all the time" : `${ends.length} times`,
      ends.length === 0,
    ),
    line(
      "every abuse comes out as it must",
      `${abuses.held} of ${abuses.of}${abuses.played < abuses.of ? `, ${abuses.of - abuses.played} not played` : ""}`,
      abuses.of > 0 && abuses.held === abuses.of,
    ),
    none("nothing in the log acts on a terminal", dangersInLog),
    none("no descriptor is left when the clients are gone", left.descriptors),
    line(
      `exit within ${EXIT_MS} ms of SIGTERM, with runs and parsing under way`,
      exitMs === undefined ? "it had to be killed" : `${exitMs.toFixed(0)} ms`,
      exitMs !== undefined && exitMs <= EXIT_MS,
    ),
    none("no process is left", left.processes),
    none("no temporary file is left", left.files),
  ];
}

/** How long each look took, as it counts. */
export function timesOf(health: readonly HealthSample[]): number[] {
  return health.map(({ ms, lost }) => (lost ? UNANSWERED_MS : ms));
}

function none(what: string, list: readonly string[]): Line {
  const [first] = list;
  return line(what, first === undefined ? "none" : `${list.length}: ${first.slice(0, 160)}`, first === undefined);
}

function line(what: string, measured: string, ok: boolean): Line {
  return { what, measured, ok };
}
