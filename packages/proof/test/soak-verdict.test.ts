import { expect, test } from "vitest";
import { judge } from "../soak/verdict.mjs";

const OPEN = { socket: 2, pipe: 3, file: 10, other: 5, all: 20 };

interface Look {
  heapMiB?: number;
  residentMiB?: number;
  youngMiB?: number;
  pipe?: number;
  processes?: number;
  sockets?: number;
  files?: string[];
}

/** Ten looks at one server, each as `at` says. */
function looks(at: (i: number) => Look = () => ({})) {
  return Array.from({ length: 10 }, (_, i) => {
    const {
      heapMiB = 10,
      residentMiB = 60,
      youngMiB = 1,
      pipe = OPEN.pipe,
      processes = 0,
      sockets = 0,
      files = [],
    } = at(i);
    const seen = [{ heapMiB, residentMiB, youngMiB, descriptors: { ...OPEN, pipe } }];
    return { left: [{ processes, sockets, files }], seen };
  });
}

const QUIET = { looks: looks(), afterwards: [{ sockets: 0 }], exitMs: [40], files: [] as string[] };

const missed = (load: Partial<typeof QUIET>) =>
  judge({ ...QUIET, ...load })
    .filter(({ ok }) => !ok)
    .map(({ what }) => what);

test("a load that leaves nothing holds in every respect", () => {
  expect(missed({})).toEqual([]);
  expect(missed({ looks: looks((i) => ({ residentMiB: 60 + 5 * i, youngMiB: 1 + 5 * i })) })).toEqual([]);
});

test.each<[string, Partial<typeof QUIET>]>([
  ["heap after collection does not grow", { looks: looks((i) => ({ heapMiB: 10 + i })) }],
  ["resident memory does not grow", { looks: looks((i) => ({ residentMiB: 60 + 5 * i })) }],
  ["no process is left when no call runs", { looks: looks((i) => ({ processes: i === 4 ? 1 : 0 })) }],
  ["files and pipes open do not grow", { looks: looks((i) => ({ pipe: i === 9 ? 4 : 3 })) }],
  [
    "no connection is left when no call runs, but the one that each client listens on",
    { looks: looks((i) => ({ sockets: i === 4 ? 1 : 0 })) },
  ],
  ["no connection is left when the clients are gone", { afterwards: [{ sockets: 3 }] }],
  ["no file of a run is left", { looks: looks((i) => ({ files: i === 2 ? ["run-1"] : [] })) }],
  ["no file of a run is left", { files: ["temp-invalid-output-1.txt"] }],
  ["exit within 1000 ms", { exitMs: [1_500] }],
])("it is seen when this does not hold: %s", (what, load) => {
  expect(missed(load)).toEqual([what]);
});
