import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { createGeminiRunner, type RunnerError, resultOf } from "../../src/index.js";
import { resolveOptions } from "../../src/run/resolve-options.js";
import { buildLibrary } from "../library.js";
import { FAKE_CLI, gone, leftIn, lives, pidIn, SHELL_CLI, test } from "../small-world.js";

let library = "";

beforeAll(async () => {
  library = await buildLibrary("walls");
});

/** A program of its own that makes one run and prints what came of it, and how much memory it took at most. */
const PROGRAM = `
const [library, command, cwd, prompt, limit] = process.argv.slice(1);
const { createGeminiRunner, resultOf } = await import(library);
const maxOutputBytes = limit === undefined ? {} : { maxOutputBytes: Number(limit) };
const runner = createGeminiRunner({ command, cwd, retries: 0, ...maxOutputBytes });
const seen = await resultOf(runner.run({ prompt })).then(
  ({ text }) => ({ length: text.length }),
  ({ code, reason, message }) => ({ code, reason, message }),
);
await runner.close();
console.log(JSON.stringify({ ...seen, megabytes: Math.round(process.resourceUsage().maxRSS / 1_000) }));
`;

const args = (cwd: string, prompt: string, command = SHELL_CLI) => [
  ...["--input-type=module", "-e", PROGRAM, "--"],
  ...[library, command, cwd, prompt],
];

const MANY = "head -c 5000000000";
const WORDS = JSON.stringify({ type: "message", role: "assistant", content: "x" });
const LIMIT = 64 * 1024 * 1024;
/** What is read line by line need not be so much to be too much. */
const LESS = 8 * 1024 * 1024;

/** The size of all files in a folder, in bytes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((a, b) => a + b, 0);
}

describe.skipIf(process.platform === "win32")("a program that says more than is allowed is ended", () => {
  test.for([
    ["one line of 513 MiB", "head -c 538000000 /dev/zero | tr '\\0' a", 1, LIMIT],
    ["5 GB of lines", `yes | ${MANY}`, 1, LESS],
    ["5 GB of events", `yes '${WORDS}' | ${MANY}`, 1, LESS],
    ["5 GB of blank lines on stderr", `yes '' | ${MANY} >&2`, 1, LESS],
    ["both at once", `yes | ${MANY} & yes | ${MANY} >&2`, 2, LESS],
    ["notes of a guard that is none", `yes '{"type":"page"}' | ${MANY} >&3`, 1, LESS],
  ] as const)("%s: %s", async ([, flood, files, limit], { temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    let most = 0;
    const looking = setInterval(async () => {
      most = Math.max(most, await sizeOf(folder));
    }, 5);
    const own = limit === LIMIT ? [] : [String(limit)];
    const { stdout } = await promisify(execFile)(process.execPath, [...args(folder, flood), ...own]);
    clearInterval(looking);
    const { megabytes, ...seen } = JSON.parse(stdout) as { megabytes: number };
    expect(seen).toEqual({
      code: "EXECUTION_ERROR",
      reason: "output-limit",
      // Of one line, whichever is seen first.
      message: expect.stringMatching(
        `^The CLI wrote more than (?:${limit} bytes|${limit / 4} characters in one line)$`,
      ),
    });
    expect(megabytes, "its own memory").toBeLessThan(200);
    expect(most, "the files of the run").toBeLessThan(files * LIMIT + 1_000_000);
    expect(leftIn(folder)).toEqual([]);
  });

  test.for(["", " >&2"])("and one that says a quarter of it in one line%s", async (to, { temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd: folder, retries: 0, maxOutputBytes: LESS });
    const line = `head -c ${LESS / 4 + 1} /dev/zero | tr '\\0' a${to}; exec sleep 1000`;
    await expect(resultOf(runner.run({ prompt: line }))).rejects.toMatchObject({
      reason: "output-limit",
      message: `The CLI wrote more than ${LESS / 4} characters in one line`,
      nextStep: "Raise maxOutputBytes to allow more.",
    });
    await runner.close();
    expect(leftIn(folder)).toEqual([]);
  });

  test("and one that says less, but not by much, is heard whole", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const flood = [...args(folder, "yes abc | head -c 8000000"), String(LESS)];
    const { stdout } = await promisify(execFile)(process.execPath, flood);
    expect(JSON.parse(stdout)).toMatchObject({ length: 7_999_999 });
  });

  test("at a limit of one's own", async ({ temporaryFolder }) => {
    const runner = createGeminiRunner({
      command: SHELL_CLI,
      cwd: await temporaryFolder("runs"),
      maxOutputBytes: 1_000,
    });
    await expect(resultOf(runner.run({ prompt: "yes | head -c 5000" }))).rejects.toMatchObject({
      reason: "output-limit",
      nextStep: "Raise maxOutputBytes to allow more.",
    });
  });
});

/** Runs a program in a file system of its own with so much room, where this user may make one. */
async function onSmallDisk(kilobytes: number, command: readonly string[]): Promise<string | undefined> {
  const mount = `mount -t tmpfs -o size=${kilobytes}k,mode=700 tmpfs "$0" || exit 77; exec "$@"`;
  try {
    const { stdout } = await promisify(execFile)("unshare", ["-rm", "sh", "-c", mount, ...command]);
    return stdout;
  } catch (error) {
    if ((error as { code?: unknown }).code === 77 || (error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

test("a disk that fills during a run is what the error says", async ({ temporaryFolder, skip }) => {
  const folder = await temporaryFolder("disk");
  const flood = "head -c 3000000 /dev/zero | tr '\\0' '\\n'";
  const stdout = await onSmallDisk(1_000, [folder, process.execPath, ...args(folder, flood)]);
  if (stdout === undefined) return skip("no file system can be made here");
  expect(JSON.parse(stdout)).toMatchObject({
    code: "EXECUTION_ERROR",
    reason: "workspace",
    message: `Nothing more can be written to the folder of the runs, ${folder}: the disk is full`,
  });
});

describe.runIf(process.platform === "linux")("processes that left their group", () => {
  const daemon = (file: string) =>
    `setsid sh -c 'echo $$ > ${file}; exec sleep 1000' & while ! [ -s ${file} ]; do :; done`;

  /** Processes with an argument that begins so. */
  async function withArgument(beginning: string): Promise<number[]> {
    const found = (await readdir("/proc")).map(async (name) => {
      const words = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
      return words.split("\0").some((word) => word.startsWith(beginning)) ? [Number(name)] : [];
    });
    return (await Promise.all(found)).flat().filter(Number.isInteger);
  }

  test("end with the run", async ({ temporaryFolder }) => {
    const [folder, pids] = await Promise.all([temporaryFolder("runs"), temporaryFolder("pids")]);
    const file = path.join(pids, "daemon");
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd: folder });
    const { text } = await resultOf(runner.run({ prompt: `${daemon(file)}; echo done` }));
    expect(text).toBe("done");
    expect(lives(await pidIn(file))).toBe(false);
    expect(leftIn(folder)).toEqual([]);
  });

  test("end with the program, when it is killed, and others of the same name do not", async ({ temporaryFolder }) => {
    const [folder, pids] = await Promise.all([temporaryFolder("runs of 'one' \\ $user"), temporaryFolder("pids")]);
    const file = path.join(pids, "daemon");
    const child = spawn(process.execPath, args(folder, `${daemon(file)}; exec sleep 1000`), { stdio: "ignore" });
    const pid = await pidIn(file);
    const [run = ""] = leftIn(folder);
    const names = { GEMINI_CLI_HOME: path.join(folder, "gemini-run-1"), OTHER: path.join(folder, run) };
    const other = spawn("sleep", ["1000"], { env: { ...process.env, ...names } });
    onTestFinished(() => void other.kill("SIGKILL"));
    child.kill("SIGKILL");
    await gone(pid);
    await expect.poll(() => leftIn(folder), { timeout: 10_000 }).toEqual([]);
    expect(lives(other.pid ?? 0)).toBe(true);
  });

  test("end with the program, when it ends itself", async ({ temporaryFolder }) => {
    const [folder, pids] = await Promise.all([temporaryFolder("runs"), temporaryFolder("pids")]);
    const file = path.join(pids, "daemon");
    const prompt = `${daemon(file)}; exec sleep 1000`;
    const program = PROGRAM.replace("const seen", `process.once("SIGTERM", () => process.exit(3));\nconst seen`);
    const child = spawn(process.execPath, args(folder, prompt).with(2, program), { stdio: "ignore" });
    const pid = await pidIn(file);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([3, null]);
    expect(lives(pid)).toBe(false);
    expect(leftIn(folder)).toEqual([]);
  });

  test("end with the next run, when the program was killed with what watches over it", async ({ temporaryFolder }) => {
    const [folder, pids] = await Promise.all([temporaryFolder("runs"), temporaryFolder("pids")]);
    const file = path.join(pids, "daemon");
    const child = spawn(process.execPath, args(folder, `${daemon(file)}; exec sleep 1000`), { stdio: "ignore" });
    const pid = await pidIn(file);
    const watching = await withArgument(`${folder}/gemini-run-`);
    expect(watching).toHaveLength(1);
    for (const each of watching) process.kill(each, "SIGKILL");
    child.kill("SIGKILL");
    // One that nobody has waited for is still there.
    await once(child, "exit");
    expect(lives(pid)).toBe(true);
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd: folder });
    await resultOf(runner.run({ prompt: "echo done" }));
    await runner.close();
    await gone(pid);
    await expect.poll(() => leftIn(folder), { timeout: 10_000 }).toEqual([]);
  });
});

test.skipIf(process.platform === "win32")(
  "a CLI that is not JavaScript goes when the program is killed, with its folder",
  async ({ temporaryFolder }) => {
    const [folder, pids] = await Promise.all([temporaryFolder("runs"), temporaryFolder("pids")]);
    const file = path.join(pids, "cli");
    const prompt = `trap "" TERM HUP INT; echo $$ > ${file}; while :; do sleep 1; done`;
    const child = spawn(process.execPath, args(folder, prompt), { stdio: "ignore" });
    const pid = await pidIn(file);
    child.kill("SIGKILL");
    await gone(pid);
    await expect.poll(() => leftIn(folder), { timeout: 10_000 }).toEqual([]);
  },
);

describe.skipIf(process.platform === "win32")("the folder of the runs", () => {
  test("is refused when others may write to it, or to one above it", async ({ temporaryFolder }) => {
    const shared = await temporaryFolder("shared");
    chmodSync(shared, 0o777);
    const attempt = (cwd: string) => {
      const runner = createGeminiRunner({ command: SHELL_CLI, cwd });
      return resultOf(runner.run({ prompt: "echo done" })).catch((error: RunnerError) => error);
    };
    for (const cwd of [shared, path.join(shared, "own")]) {
      expect(await attempt(cwd)).toMatchObject({
        code: "EXECUTION_ERROR",
        reason: "workspace",
        message: `The folder of the runs, ${cwd}, is not safe: everybody may write to ${shared}`,
        nextStep: expect.stringContaining("nobody else may write"),
      });
    }
    chmodSync(shared, 0o1777);
    expect(await attempt(shared)).toMatchObject({ text: "done" });
  });
});

describe("a callback that throws", () => {
  test("ends its own run and no more", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("runs");
    const sleep = () => Promise.reject(new Error("no sleep"));
    const runner = createGeminiRunner({ command: FAKE_CLI, cwd: folder, sleep });
    const fails = [{ stderr: "[API Error: terminated]\n" }, { exit: 1 }];
    await expect(resultOf(runner.run({ prompt: JSON.stringify(fails) }))).rejects.toThrow("no sleep");
    const works = [{ say: "done" }, { result: "success" }];
    expect((await resultOf(runner.run({ prompt: JSON.stringify(works) }))).text).toBe("done");
    expect(leftIn(folder)).toEqual([]);
  });

  test("is not heard of when it was only told of something", () => {
    const { onWarning } = resolveOptions({
      onWarning: () => {
        throw new Error("no warning");
      },
    });
    expect(() => onWarning("x")).not.toThrow();
  });
});

test.skipIf(process.platform === "win32")(
  "pipes in the place of a login are not handed on",
  async ({ temporaryFolder }) => {
    const [home, runs] = await Promise.all([temporaryFolder("home"), temporaryFolder("runs")]);
    await mkdir(path.join(home, ".gemini"));
    await promisify(execFile)("mkfifo", ["oauth_creds.json"], { cwd: path.join(home, ".gemini") });
    writeFileSync(path.join(home, ".gemini/google_accounts.json"), "{}");
    const { PATH = "" } = process.env;
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd: runs, env: { PATH, HOME: home } });
    const { text } = await resultOf(runner.run({ prompt: "ls $GEMINI_CLI_HOME/.gemini" }));
    expect(text).toContain("google_accounts.json");
    expect(text).not.toContain("oauth_creds.json");
    expect(readFileSync(path.join(home, ".gemini/google_accounts.json"), "utf8")).toBe("{}");
  },
);
