import { writeFileSync } from "node:fs";
import { chosenBy } from "../measure/choice.mjs";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { type Ground, isFor, type Options, type Part } from "./part.js";
import { PARTS } from "./parts.js";
import { watchProcessors } from "./processors.js";
import { oneLine, type Row, toJson, toText } from "./report.js";
import { type Closing, type Engine, type Layout, ROOMY, World } from "./world.js";

const ENGINES: readonly Engine[] = ["redis", "postgres", "files"];
const EXIT_MS = 5_000;

const USAGE = `Many tenants against fronts and workers on a store of their own, on loopback, with a fake CLI:
npm run load -- --engine redis|postgres [options]

  --engine NAME     redis and postgres are started here; files: one server without a store, to try this program
  --seconds N       of load with kills (300)
  --tenants N       who call (200)
  --calls N         of each (5)
  --workers N       (3)
  --concurrency N   runs at once in each worker (2)
  --kill-every N    seconds between two kills of a worker (10); 0: none
  --quick           40 seconds, 20 tenants with 3 calls, short measurements
  --older FILE      the program of an older version, .../dist/bin.js: both work side by side
  --only EXPRESSION parts whose names fit
  --json FILE       puts the rows there too

Ends with 1 when a row does not hold.`;

const values = commandLine(USAGE, {
  engine: { type: "string" },
  seconds: { type: "string" },
  tenants: { type: "string" },
  calls: { type: "string" },
  workers: { type: "string", default: "3" },
  concurrency: { type: "string", default: "2" },
  "kill-every": { type: "string", default: "10" },
  quick: { type: "boolean", default: false },
  only: { type: "string" },
  older: { type: "string" },
  json: { type: "string" },
});
if (process.platform !== "linux") {
  console.error("Processes are read from /proc: run this on Linux.");
  process.exit(1);
}
const options = readOptions();
const chosen = chosenBy(
  "--only",
  values.only,
  PARTS.filter((part) => isFor(part, options.engine)),
  { nameOf: ({ name }) => name, usage: USAGE },
);

function readOptions(): Options {
  const engine = ENGINES.find((name) => name === values.engine);
  if (engine === undefined) return refuse(`--engine ${values.engine ?? ""}: expected ${ENGINES.join(", ")}`, USAGE);
  const { quick } = values;
  const number = (name: "seconds" | "tenants" | "calls" | "workers" | "concurrency" | "kill-every", usual = 0) => {
    const value = Number(values[name] ?? usual);
    const least = name === "kill-every" ? 0 : 1;
    return value >= least ? value : refuse(`--${name} ${values[name]}: expected a number of at least ${least}`, USAGE);
  };
  return {
    engine,
    quick,
    older: values.older,
    seconds: number("seconds", quick ? 40 : 300),
    tenants: number("tenants", quick ? 20 : 200),
    calls: number("calls", quick ? 3 : 5),
    workers: number("workers"),
    concurrency: number("concurrency"),
    killEverySeconds: number("kill-every"),
  };
}

const rows: Row[] = [];
const worlds = new Set<World>();
/** What is being started cannot be ended yet. */
const opening = new Set<Promise<World>>();
const ends: string[] = [];
const lefts: string[] = [];
const said: string[] = [];
const exits: (number | undefined)[] = [];

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void removeAll().finally(() => process.exit(1)));
}

async function removeAll(): Promise<void> {
  await Promise.allSettled(opening);
  await Promise.all([...worlds].map((world) => world.remove()));
}

function groundFor({ name }: Part): Ground {
  return {
    options,
    async open(layout: Partial<Layout>) {
      const files = options.engine === "files";
      const whole: Layout = {
        engine: options.engine,
        fronts: 2,
        workers: options.workers,
        concurrency: options.concurrency,
        tenants: { one: ROOMY, two: ROOMY },
        ...layout,
        ...(files && { fronts: 1, workers: 0 }),
      };
      const world = World.open(whole, (made) => worlds.add(made));
      opening.add(world);
      return world.finally(() => opening.delete(world));
    },
    async close(world: World) {
      const closing = await world.stopAll();
      take(name, world, closing);
      await world.remove();
      worlds.delete(world);
      return closing;
    },
    row: (what, expected, seen, holds) => add({ part: name, what, expected, seen: oneLine(seen), holds }),
    tell: (text) => console.log(`     ${oneLine(text)}`),
  };
}

/** What must hold of every world. */
function take(part: string, world: World, { exitMs, left }: Closing): void {
  exits.push(...exitMs);
  lefts.push(...left.map((command) => `${part}: ${command}`));
  ends.push(...world.ends.map((end) => `${part}: ${end}`));
  const { logs } = world;
  if (world.secrets.some((word) => logs.includes(word))) said.push(`${part}: a token or the password of the store`);
  const [query] = /.{0,60}load-[a-z0-9]+-\d+-r\d.{0,20}/.exec(logs) ?? [];
  if (query !== undefined) said.push(`${part}: a query: ${query}`);
}

function add(row: Row): void {
  rows.push(row);
  console.log(`${row.holds ? "ok  " : "FAIL"} ${row.part}: ${row.what}: ${row.seen}`);
}

async function play(part: Part): Promise<void> {
  const from = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const limitMs = part.withinMs(options);
    timer = setTimeout(() => reject(new Error(`not over within ${Math.round(limitMs / 1_000)} s`)), limitMs);
  });
  try {
    await Promise.race([part.play(groundFor(part)), late]);
  } catch (error) {
    const seen = oneLine((error as Error).message);
    add({ part: part.name, what: "it is played to its end", expected: "no error", seen, holds: false });
    for (const world of worlds)
      console.log(`     servers said at the end: ${oneLine(world.logs.slice(-1_500), 1_500)}`);
  } finally {
    clearTimeout(timer);
    await removeAll();
    worlds.clear();
  }
  console.log(`     ${part.name}: ${((performance.now() - from) / 1_000).toFixed(1)} s`);
}

function addLast(): void {
  const part = "everywhere";
  const none = (what: string, list: readonly string[]) =>
    add({ part, what, expected: "none", seen: oneLine(list.join("; ") || "none"), holds: list.length === 0 });
  none("fronts and workers that ended by themselves", ends);
  none("processes left after SIGTERM", lefts);
  none("tokens, passwords and queries in the log", said);
  const killed = exits.filter((ms) => ms === undefined).length;
  const longest = Math.max(0, ...exits.filter((ms) => ms !== undefined));
  add({
    part,
    what: "exit of a front or a worker after SIGTERM",
    expected: `within ${EXIT_MS / 1_000} s`,
    seen: `${(longest / 1_000).toFixed(1)} s at most${killed > 0 ? `, ${killed} had to be killed` : ""}`,
    holds: exits.length > 0 && killed === 0,
  });
}

const startedAt = performance.now();
const busy = watchProcessors();
for (const part of chosen) await play(part);
addLast();
const circumstances = {
  engine: options.engine,
  tookSeconds: (performance.now() - startedAt) / 1_000,
  busy: busy(),
};
console.log(`\n${toText(rows, circumstances)}`);
if (values.json !== undefined) writeFileSync(values.json, toJson(rows, circumstances));
process.exitCode = rows.some(({ holds }) => !holds) ? 1 : 0;
