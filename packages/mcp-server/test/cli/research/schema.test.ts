import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { main } from "../../../src/cli/main.js";
import { readJsonFile } from "../../../src/cli/research/read-json-file.js";
import { plainGemini, promptsOf } from "../../support/place.js";
import { BIN } from "../../support/stdio-server.js";
import { inOwnHome } from "../commands.js";
import { fakeIo } from "../fake-io.js";

const place = inOwnHome();

const ANSWER = {
  success: true,
  report: "212 km².",
  metadata: { sources_visited: [] },
  claims: [{ text: "It has 212 km².", sources: [], status: "supported" }],
  data: { area: 212, name: "Lake Vessin" },
  data_claims: { "/area": 1 },
};
const SCHEMA = { properties: { area: { type: ["number", "null"] }, name: { type: "string" } }, required: ["name"] };

const search = (...more: string[]) =>
  place.run(["search", "How large?", "--quiet", ...more], { env: { GEMINI_CLI_PATH: plainGemini(place, ANSWER) } });

test("--schema: the data in the report, in the JSON, on the page, and what of it nothing proves", async () => {
  writeFileSync(join(place.home, "lake.json"), `\uFEFF${JSON.stringify(SCHEMA)}`);
  const { code, out } = await search("--schema", "lake.json", "--html", "page.html");
  expect(code).toBe(0);
  expect(promptsOf(place)[0]).toContain(JSON.stringify(SCHEMA));
  expect(out).toContain('## Data\n\n```json\n{\n  "area": null,\n  "name": "Lake Vessin"\n}\n```\n');
  expect(out).toContain("Not proven: /area, /name");
  expect(readFileSync(join(place.home, "page.html"), "utf8")).toContain("Not proven: /area, /name.");
  const shown = JSON.parse((await place.run(["show", "--last", "--json"])).out);
  expect(shown).toMatchObject({ data: { area: null, name: "Lake Vessin" }, metadata: { missing: ["/area", "/name"] } });
  const terminal = await place.run(["show", "--last"], { tty: ["stdout"], env: { NO_COLOR: "1" } });
  expect(terminal.out).toMatch(
    /Data\n\{\n {2}"area": null,\n {2}"name": "Lake Vessin"\n\}\n! Not proven: \/area, \/name/,
  );
});

test.each<[string, (file: string) => void, RegExp]>([
  ["is not there", () => {}, /--schema lake\.json: it cannot be read: /],
  ["is a folder", (file) => mkdirSync(file), /--schema lake\.json: it cannot be read: /],
  ["is no JSON", (file) => writeFileSync(file, "{area: 1"), /--schema lake\.json: it is no JSON: /],
  [
    "is huge",
    (file) => {
      writeFileSync(file, "");
      truncateSync(file, 2 ** 31);
    },
    /it has [\d,]+ bytes, at most 1,000,000 are read/,
  ],
  ["holds no schema", (file) => writeFileSync(file, "[]"), /can be used: it must be an object/],
  ["has a fault", (file) => writeFileSync(file, '{"type":"strin"}'), /can be used: \/type: expected one of/],
])("a schema file that %s: wrong usage, said before anything is asked", async (_, make, message) => {
  make(join(place.home, "lake.json"));
  const { code, err } = await search("--schema", "lake.json");
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(promptsOf(place)).toEqual([]);
});

test.skipIf(process.platform === "win32").each(["--schema", "--plan-file"])(
  "%s names a device that gives without end: nothing of it is read",
  async (option) => {
    const { code, err } = await search(option, "/dev/zero");
    expect({ code, err: err.replace(/\s+/g, " ") }).toEqual({
      ...{ code: 2, err: `✗ ${option} /dev/zero: it cannot be read: it is a device; a file or a pipe is expected. ` },
    });
    expect(promptsOf(place)).toEqual([]);
  },
);

describe.skipIf(process.platform === "win32")("a pipe in the place of a file", () => {
  const makePipe = async () => {
    const pipe = join(place.home, "pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    return pipe;
  };

  /** As soon as somebody reads. */
  const writerOf = (pipe: string) => vi.waitFor(() => open(pipe, constants.O_WRONLY | constants.O_NONBLOCK));

  test.each([
    ["--schema", SCHEMA],
    ["--plan-file", { tasks: "none" }],
  ])("%s: what a shell writes into it is read", async (option, content) => {
    writeFileSync(join(place.home, "content.json"), JSON.stringify(content));
    const { HOME, PATH } = { HOME: place.home, PATH: process.env["PATH"] };
    const env = { HOME, PATH, GEMINI_CLI_PATH: plainGemini(place, ANSWER) };
    const command = `"${process.execPath}" "${BIN}" search "How large?" --json ${option} <(cat content.json)`;
    const shell = spawn("bash", ["-c", command], { cwd: place.home, env, stdio: ["ignore", "pipe", "ignore"] });
    const answer = JSON.parse(await text(shell.stdout));
    expect(answer).toMatchObject(
      option === "--schema"
        ? { data: { name: "Lake Vessin" } }
        : { error: { code: "INVALID_INPUT", message: expect.stringContaining("plan") } },
    );
  });

  test("it is waited for until it is whole", async () => {
    const pipe = await makePipe();
    const ended = search("--schema", pipe);
    const writer = await writerOf(pipe);
    await writer.write('{"type":');
    await writer.write('"strin"}');
    await writer.close();
    expect(await ended).toEqual({ code: 2, out: "", err: expect.stringContaining("/type: expected one of") });
  });

  test("nobody writes to it: after a while that is said", async () => {
    const given = { host: { cwd: place.home }, signal: new AbortController().signal, silentMs: 50 };
    await expect(readJsonFile("--schema", await makePipe(), given)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/^--schema .*pipe: it is a pipe, and nobody wrote to it for /),
    });
  });

  test("no more of it is read than of a file", async () => {
    const pipe = await makePipe();
    const shell = spawn("sh", ["-c", 'yes > "$0"', pipe], { stdio: "ignore", detached: true });
    const ended = once(shell, "exit");
    onTestFinished(async () => {
      if (shell.exitCode === null) process.kill(-(shell.pid as number), "SIGKILL");
      await ended;
    });
    const { code, err } = await search("--schema", pipe);
    expect({ code, err: err.replace(/\s+/g, " ") }).toEqual({
      ...{ code: 2, err: expect.stringContaining("it gives more than the 1,000,000 bytes that are read.") },
    });
  });

  test("Ctrl-C ends the wait for it", async () => {
    const pipe = await makePipe();
    const { io, out, err, interrupt } = fakeIo({ home: place.home });
    const ended = main(["search", "How large?", "--schema", pipe], io);
    const writer = await writerOf(pipe);
    interrupt();
    expect(await ended).toBe(130);
    await writer.close();
    expect([out(), err()]).toEqual(["", ""]);
    expect((await place.run(["list", "--json"])).out).toBe("[]\n");
  });
});
