import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { beforeAll, describe, expect } from "vitest";
import { silence, text } from "../../src/testing/index.js";
import { buildLibrary } from "../library.js";
import { CLI, gone, leftIn, test } from "../small-world.js";

let library = "";

beforeAll(async () => {
  library = await buildLibrary("pool-ending");
});

/** Makes so many runs at once in one process, says which process, and does nothing more. */
const PROGRAM = `const [library, command, cwd, env, count] = process.argv.slice(1);
const { createGeminiRunner } = await import(library);
const runner = createGeminiRunner({ command, cwd, env: { ...process.env, ...JSON.parse(env) }, pool: true });
const pids = new Set();
await Promise.all(Array.from({ length: Number(count) }, async () => {
  for await (const event of runner.run({ prompt: "hello", model: "gemini-2.5-flash" })) {
    if (event.type === "run-start") pids.add(event.pid);
    if (event.type === "run-start" && pids.size === 1) console.log(event.pid);
  }
}));
`;

function start(folder: string, env: object, count: number) {
  const args = ["--input-type=module", "-e", PROGRAM, "--", library, CLI, folder, JSON.stringify(env), String(count)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

describe.concurrent("a process of many runs does not outlive the program that started it", () => {
  test.for(["SIGKILL", "SIGTERM"] as const)(
    "killed by %s with sixteen runs",
    async (signal, { world, temporaryFolder, expect }) => {
      const folder = await temporaryFolder("runs");
      let asked = 0;
      const { server } = await world(() => {
        asked++;
        return silence();
      });
      const child = start(folder, server.env, 16);
      const said = textOf(child.stdout);
      await server.waitFor(() => asked === 15);
      child.kill(signal);
      const pids = new Set((await said).trim().split("\n").map(Number));
      expect(pids.size, "processes").toBe(1);
      for (const pid of pids) await gone(pid);
      await expect.poll(() => leftIn(folder)).toEqual([]);
    },
  );

  test("nor does it keep one that is done from ending", async ({ world, temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const { server } = await world(() => text("done"));
    const child = start(folder, server.env, 2);
    const said = textOf(child.stdout);
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    await gone(Number((await said).split("\n")[0]));
    await expect.poll(() => leftIn(folder)).toEqual([]);
  });
});
