import { readFile, writeFile } from "node:fs/promises";
import { chosenBy } from "../measure/choice.mjs";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { killAll } from "../rig/leftovers.js";
import { type Fault, NotHere } from "./fault.js";
import { FAULTS } from "./faults.js";
import { keepCells, keptCells } from "./kept-cells.js";
import { nothingRuns } from "./plays.js";
import { otherAnswers } from "./same-answers.js";
import { type Cell, toMarkdown } from "./table.js";
import { createWorld, MOST_TOOLS, TOOLS, type ToolName, type Way, type World } from "./world.js";

const PAGES: Record<Way, URL> = {
  stdio: new URL("../../../docs/reliability.md", import.meta.url),
  http: new URL("../../../docs/reliability-pool.md", import.meta.url),
};
/** The cells of the last whole run of each way. */
const KEPT: Record<Way, URL> = {
  stdio: new URL("../.turbo/faults-stdio.json", import.meta.url),
  http: new URL("../.turbo/faults-http.json", import.meta.url),
};
/** No cell may take longer, whatever happens in it. */
const CELL_LIMIT_MS = 180_000;

const USAGE = `Every tool with every fault, through the built server: npm run faults [-- options]

  --only EXPRESSION     faults whose names fit
  --group EXPRESSION    groups whose names fit
  --tool NAME           one tool
  --concurrency N       so many at once (2)
  --pool                over HTTP, where runs share a process of the CLI, instead of over stdio
  --again               what did not hold in the last whole run, once more, one after the other

Without the first three it writes docs/reliability.md, and with --pool docs/reliability-pool.md. With --pool each answer is to
be the one that docs/reliability.md has.`;

const values = commandLine(USAGE, {
  only: { type: "string" },
  group: { type: "string" },
  tool: { type: "string" },
  concurrency: { type: "string", default: "2" },
  pool: { type: "boolean", default: false },
  again: { type: "boolean", default: false },
});

if (process.platform !== "linux") {
  console.error("Processes and descriptors are counted in /proc: run this on Linux.");
  process.exit(1);
}

const way: Way = values.pool ? "http" : "stdio";
/** Those that there are on this way. */
const known = FAULTS.filter(({ overStdio }) => way === "stdio" || !overStdio);
/** Those of the last whole run. */
const before: Cell[] = values.again ? await keptCells(KEPT[way], known) : [];
const wanted: Pick<Cell, "fault" | "tool">[] = values.again ? before.filter(fails) : chosenCells();
const concurrency = values.again ? 1 : Number(values.concurrency);
if (!(concurrency >= 1)) refuse(`--concurrency ${values.concurrency}: expected a number of at least 1`, USAGE);
/** Those that are being played. */
const worlds = new Set<World>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => Promise.all([...worlds].map(discard)).finally(() => process.exit(1)));
}
const played: Cell[] = [];
const queue = [...wanted];
const from = performance.now();

async function worker(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const cell = await play(next.fault, next.tool);
    played.push(cell);
    const mark = fails(cell) ? "FAIL" : "ok";
    console.log(
      `${mark.padEnd(4)} ${String(played.length).padStart(3)}/${wanted.length} ${cell.tool} × ${cell.fault.name}: ${cell.said}`,
    );
    for (const problem of cell.problems) console.log(`       ${problem.replaceAll("\n", "\n       ")}`);
  }
}

function fails({ problems }: Cell): boolean {
  return problems.length > 0;
}

async function discard(world: World): Promise<void> {
  await killAll(world.sandbox);
  await world.remove();
  worlds.delete(world);
}

/** Each fault with each tool that meets it, as far as the options want them. */
function chosenCells(): { fault: Fault; tool: ToolName }[] {
  const { only, group, tool } = values;
  if (tool !== undefined && !TOOLS.some((name) => name === tool)) {
    return refuse(`--tool ${tool}: known are ${TOOLS.join(", ")}`, USAGE);
  }
  const ofGroup = chosenBy("--group", group, known, { nameOf: (fault) => fault.group, usage: USAGE });
  const faults = chosenBy("--only", only, ofGroup, { nameOf: (fault) => fault.name, usage: USAGE });
  const cells = faults.flatMap((fault) =>
    (fault.tools ?? MOST_TOOLS).filter((name) => (tool ?? name) === name).map((name) => ({ fault, tool: name })),
  );
  return cells.length > 0 ? cells : refuse(`--tool ${tool}: it does not meet the faults that were chosen`, USAGE);
}

/** One fault, one tool, one machine. */
async function play(fault: Fault, tool: ToolName): Promise<Cell> {
  const world = await createWorld(way);
  worlds.add(world);
  const { problems } = world;
  let said = "–";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${CELL_LIMIT_MS / 1_000} s`)), CELL_LIMIT_MS);
  });
  try {
    said = await Promise.race([fault.play(world, tool, fault.withinMs), late]);
  } catch (error) {
    if (error instanceof NotHere) said = error.message;
    else problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
  await world.close();
  await nothingRuns(world, []);
  await discard(world);
  return { fault, tool, said, problems: [...new Set(problems)] };
}

await Promise.all(Array.from({ length: concurrency }, worker));

const isWhole = values.again || (values.only ?? values.group ?? values.tool) === undefined;
const cells = values.again
  ? [...before.filter((cell) => !fails(cell)), ...played.map((cell) => ({ ...cell, again: true }))]
  : played;
const broken = cells.filter(fails);
const took = `${Math.round((performance.now() - from) / 1_000)} s`;
console.log(`\n${cells.length - broken.length} of ${cells.length} cells hold, ${took}`);
if (isWhole) {
  await keepCells(KEPT[way], cells);
  await writeFile(PAGES[way], toMarkdown(known, cells, way));
}
const others = way === "http" ? otherAnswers(await readFile(PAGES.stdio, "utf8"), cells) : [];
if (way === "http") console.log(`${others.length} answers are others than over stdio`);
for (const other of others) console.log(`     ${other}`);
process.exitCode = broken.length > 0 || others.length > 0 ? 1 : 0;
