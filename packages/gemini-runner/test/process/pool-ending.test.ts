import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { beforeAll, describe } from "vitest";
import { silence, text } from "../../src/testing/index.js";
import { buildLibrary } from "../library.js";
import { CLI, gone, leftIn, test } from "../small-world.js";

let library = "";

beforeAll(async () => {
  library = await buildLibrary("pool-ending");
});

interface Plan {
  /** How many runs there are at once. */
  atOnce: number;
  /** How often. */
  times?: number;
  closes?: boolean;
}

/** Makes runs in one process, says which process, and does nothing more. A process that hangs is not noticed. */
const PROGRAM = `const [library, command, cwd, env, plan] = process.argv.slice(1);
const { atOnce, times = 1, closes = false } = JSON.parse(plan);
const { createGeminiRunner } = await import(library);
const pool = { hangMs: 600_000 };
const runner = createGeminiRunner({ command, cwd, env: { ...process.env, ...JSON.parse(env) }, pool });
const pids = new Set();
async function run() {
  for await (const event of runner.run({ prompt: "hello", model: "gemini-2.5-flash" })) {
    if (event.type === "run-start") pids.add(event.pid);
    if (event.type === "run-start" && pids.size === 1) console.log(event.pid);
  }
}
for (let i = 0; i < times; i++) await Promise.all(Array.from({ length: atOnce }, run));
if (closes) await runner.close();
`;

function start(folder: string, env: object, plan: Plan) {
  const args = ["--input-type=module", "-e", PROGRAM, "--", library, CLI, folder];
  return spawn(process.execPath, [...args, JSON.stringify(env), JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** How long a test may take, and of it what is left may be there: how busy the machine is, is no matter here. */
const TEST_MS = 240_000;
const GOES_MS = 60_000;

describe.concurrent("a process of many runs does not outlive the program that started it", { timeout: TEST_MS }, () => {
  test.for(["SIGKILL", "SIGTERM"] as const)(
    "killed by %s with sixteen runs",
    async (signal, { world, temporaryFolder, expect }) => {
      const folder = await temporaryFolder("runs");
      const { server } = await world(() => silence());
      const child = start(folder, server.env, { atOnce: 16 });
      const said = textOf(child.stdout);
      await server.waitFor(() => server.requests.length === 16);
      child.kill(signal);
      const pids = new Set((await said).trim().split("\n").map(Number));
      expect(pids.size, "processes").toBe(1);
      for (const pid of pids) await gone(pid);
      await expect.poll(() => leftIn(folder), { timeout: GOES_MS }).toEqual([]);
    },
  );

  const done: [string, Plan][] = [
    ["has made two at once", { atOnce: 2 }],
    ["has taken sessions that were opened ahead", { atOnce: 1, times: 5 }],
    ["has closed its runner", { atOnce: 1, times: 5, closes: true }],
  ];
  test.for(done)(
    "nor does it keep one from ending that %s",
    async ([, plan], { world, temporaryFolder, expect, onTestFinished }) => {
      const folder = await temporaryFolder("runs");
      const { server } = await world(() => text("done"));
      const child = start(folder, server.env, plan);
      onTestFinished(() => void child.kill("SIGKILL"));
      const said = textOf(child.stdout);
      const [code] = await once(child, "exit");
      expect(code).toBe(0);
      await gone(Number((await said).split("\n")[0]));
      await expect.poll(() => leftIn(folder), { timeout: GOES_MS }).toEqual([]);
    },
  );
});
