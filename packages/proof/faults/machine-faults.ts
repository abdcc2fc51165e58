import { execFile } from "node:child_process";
import { access, chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { json, text } from "@x/gemini-runner/testing";
import { type Expected, hasReport, NotHere, ofGroup } from "./fault.js";
import { answersAgain, check, during, inTime, seconds } from "./plays.js";
import { REPORT, type World, wellAnswered } from "./world.js";

const run = promisify(execFile);
const CLOCK = fileURLToPath(new URL("../rig/clock.cjs", import.meta.url));

/** Puts a small file system of its own under the config directory. */
async function mountConfig({ sandbox, later }: World): Promise<void> {
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", sandbox.config]);
  } catch {
    throw new NotHere("a tmpfs cannot be mounted here");
  }
  later.push(async () => void (await run("umount", ["--lazy", sandbox.config])));
}

/** Takes every byte that is free. */
async function fill(folder: string): Promise<void> {
  for (let bytes = 256 * 1_024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    for (let i = 0; ; i++) {
      const file = path.join(folder, `filler-${bytes}-${i}`);
      try {
        await writeFile(file, Buffer.alloc(bytes), { flag: "wx" });
      } catch {
        break;
      }
    }
  }
}

async function unfill(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith("filler-")) await rm(path.join(folder, name));
}

const LONG_ANSWER = JSON.stringify({
  success: true,
  verified: true,
  report: `${REPORT}\n\n${"The tide rises and falls twice a day. ".repeat(7_000)}`,
  metadata: {},
});

const unwritable: Expected = { success: false, code: "EXECUTION_ERROR", says: /GEMINI_SEARCH_CONFIG_DIR/ };

export const machineFaults = ofGroup("The server's machine", [
  {
    name: "full disk",
    by: "config directory: a tmpfs without a free byte",
    withinMs: 20_000,
    play: during({
      async arrange(world) {
        await mountConfig(world);
        await fill(world.sandbox.config);
      },
      heal: ({ sandbox }) => unfill(sandbox.config),
      expected: unwritable,
    }),
  },
  {
    name: "disk that fills during a run",
    by: "config directory: a tmpfs; its last byte is taken while the CLI's request is at the API, which then says 256 KB",
    withinMs: 20_000,
    play: during({
      async arrange(world) {
        await mountConfig(world);
        const { config } = world.sandbox;
        let isFull: Promise<void> | undefined;
        world.model.use(async ({ kind }) => {
          if (kind !== "main") return undefined;
          isFull ??= fill(config);
          await isFull;
          return text(LONG_ANSWER);
        });
      },
      heal: async ({ sandbox, model }) => {
        model.use(wellAnswered);
        await unfill(sandbox.config);
      },
      held: ({ model }) => model.waitFor("main"),
      // Where runs share a process, no answer goes through a file.
      expected: (_, way) =>
        way === "http"
          ? { success: true, holds: hasReport(REPORT) }
          : { success: false, code: "EXECUTION_ERROR", says: /disk is full/ },
    }),
  },
  {
    name: "read-only config directory",
    by: "a tmpfs that is mounted read-only",
    withinMs: 20_000,
    play: during({
      async arrange(world) {
        await mountConfig(world);
        await run("mount", ["-o", "remount,ro", world.sandbox.config]);
      },
      heal: async ({ sandbox }) => void (await run("mount", ["-o", "remount,rw", sandbox.config])),
      expected: unwritable,
    }),
  },
  {
    name: "a file in place of the config directory",
    by: "`GEMINI_SEARCH_CONFIG_DIR` names a file",
    withinMs: 20_000,
    play: during({
      async arrange({ sandbox }) {
        await rm(sandbox.config, { recursive: true });
        await writeFile(sandbox.config, "");
      },
      heal: async ({ sandbox }) => void (await rm(sandbox.config)),
      expected: unwritable,
    }),
  },
  {
    name: "missing HOME",
    by: "`HOME` is not in the environment",
    withinMs: 20_000,
    play: during({ arrange: ({ env }) => void delete env["HOME"], expected: { success: true } }),
  },
  {
    name: "HOME that is not there",
    by: "`HOME` names no folder",
    withinMs: 20_000,
    play: during({
      arrange: ({ env, sandbox }) => void Object.assign(env, { HOME: path.join(sandbox.folder, "nowhere") }),
      expected: { success: true },
    }),
  },
  {
    name: "two servers in one directory",
    by: "the second starts, and cleans up, while the first corrects an answer from its file",
    tools: ["search", "deep_search", "deep_research"],
    withinMs: 40_000,
    async play(world, tool, withinMs) {
      const { model, sandbox, problems } = world;
      let cleanedUp = () => {};
      const isCleanedUp = new Promise<void>((resolve) => {
        cleanedUp = resolve;
      });
      let file = "";
      model.use(async (call) => {
        if (call.kind !== "main") return undefined;
        if (!call.tools.includes("read_file")) {
          return call.index === 0 ? text("The tides are high.") : wellAnswered(call);
        }
        file = /\S*temp-invalid-output-\d+\.txt/.exec(call.prompt)?.[0] ?? "";
        await isCleanedUp;
        return json({ success: true, verified: true, report: REPORT, metadata: {} });
      });
      const first = await world.connect();
      const from = performance.now();
      const asked = world.ask(first.client, tool);
      await model.waitFor(({ tools }) => tools.includes("read_file"));
      const other = await world.connect();
      await answersAgain(world, other.client);
      await access(file).catch(() =>
        problems.push(`the second server took ${path.relative(sandbox.folder, file)} away`),
      );
      cleanedUp();
      const answer = await asked;
      check(world, tool, answer, { success: true });
      const ms = performance.now() - from;
      inTime(world, ms, withinMs);
      return `both answered ${seconds(ms)}`;
    },
  },
  {
    name: "a config directory that others may write to",
    by: "mode 777",
    overStdio: true,
    withinMs: 20_000,
    play: during({
      arrange: ({ sandbox }) => chmod(sandbox.config, 0o777),
      heal: ({ sandbox }) => chmod(sandbox.config, 0o700),
      expected: { success: false, code: "EXECUTION_ERROR", says: /cannot be trusted: everybody may write/ },
    }),
  },
  {
    name: "pipes in the place of files",
    by: "a prompt, a record of a job and one of rounds are FIFOs that nobody writes to",
    withinMs: 20_000,
    play: during({
      async arrange({ sandbox, env }) {
        const prompts = path.join(sandbox.folder, "prompts");
        for (const folder of [prompts, path.join(sandbox.config, "jobs"), path.join(sandbox.config, "rounds")]) {
          await mkdir(folder, { mode: 0o700 });
        }
        await run("mkfifo", [path.join(prompts, "search-prompt.md")]);
        await run("mkfifo", [path.join(sandbox.config, "jobs", "search-0000000000.json")]);
        await run("mkfifo", [path.join(sandbox.config, "jobs", "index.jsonl")]);
        await run("mkfifo", [path.join(sandbox.config, "rounds", "pipe.json")]);
        env["GEMINI_PROMPTS_DIR"] = prompts;
      },
      heal: async ({ sandbox, model }) => {
        for (const name of ["jobs/search-0000000000.json", "jobs/index.jsonl", "rounds/pipe.json"]) {
          await rm(path.join(sandbox.config, name), { force: true });
        }
        model.use(wellAnswered);
      },
      expected: { success: true },
    }),
  },
  {
    name: "clock that is eight days ahead",
    by: "of the server alone; a report of before is kept",
    tools: ["search"],
    withinMs: 20_000,
    async play(world, tool, withinMs) {
      const before = await world.connect();
      const kept = await world.ask(before.client, tool);
      check(world, tool, kept, { success: true });
      await world.end(before);
      Object.assign(world.env, { NODE_OPTIONS: `--require=${CLOCK}`, CLOCK_AHEAD_MS: String(8 * 24 * 3_600_000) });
      const from = performance.now();
      const { client } = await world.connect();
      await answersAgain(world, client);
      check(world, tool, await world.call(client, "research_result", { job_id: kept.job_id }), { success: true });
      const ms = performance.now() - from;
      inTime(world, ms, withinMs);
      return `the report is there ${seconds(ms)}`;
    },
  },
  {
    name: "clock that jumps back",
    by: "by an hour, in the server, while the CLI's request is at the API",
    withinMs: 20_000,
    play: during({
      arrange({ env, model }) {
        env["NODE_OPTIONS"] = `--require=${CLOCK}`;
        const answer = JSON.stringify({ success: true, verified: true, report: REPORT, metadata: {} });
        model.use(({ kind }) => (kind === "main" ? text(answer, { chunkLength: 40, everyMs: 200 }) : undefined));
      },
      async meanwhile({ model }, { server }) {
        await model.waitFor("main");
        server.child.kill("SIGUSR2");
      },
      expected: { success: true, holds: ({ metadata }) => Number(metadata?.["duration_ms"]) >= 0 },
    }),
  },
]);
