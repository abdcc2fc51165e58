import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configFilePath } from "../../src/host/config-file.js";
import { loadConfig } from "../../src/host/load-config.js";

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "config-"));
  path = join(home, ".config/gemini-research/config.json");
  mkdirSync(join(path, ".."), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function load(text: string, env: Record<string, string> = {}) {
  writeFileSync(path, text);
  return loadConfig({ env, host: { platform: "linux", homeDir: home, cwd: "/srv", pid: 1 } });
}

test("the file counts below the environment and above the defaults; its paths are relative to it", () => {
  const text = JSON.stringify({
    model: "gemini-3",
    maxRounds: 7,
    debug: true,
    promptsDir: "mine",
    keepDays: "30",
    port: 8080,
  });
  const { config, problems } = load(text, { GEMINI_MODEL: "gemini-2.5-pro", JSON_MAX_RETRIES: "2" });
  expect(problems).toEqual([]);
  expect(config).toMatchObject({ model: "gemini-2.5-pro", maxRounds: 7, attempts: 2, timeoutMs: 300_000, debug: true });
  expect(config).toMatchObject({ promptsDir: join(path, "../mine"), keepMs: 2_592_000_000, http: { port: 8080 } });
});

test("it stands in the config directory, wherever that is", () => {
  const host = { platform: "linux", homeDir: home, cwd: "/srv", pid: 1 } as const;
  expect(configFilePath({}, host)).toBe(path);
  expect(configFilePath({ GEMINI_SEARCH_CONFIG_DIR: "mine" }, host)).toBe("/srv/mine/config.json");
  expect(loadConfig({ env: { GEMINI_SEARCH_CONFIG_DIR: "/nowhere" }, host }).problems).toEqual([]);
});

test.each([
  [
    "a wrong value",
    '{\n  "model": "x",\n  "maxRounds": "many"\n}',
    3,
    'maxRounds is "many": expected a whole number of rounds, at least 2; using 5',
  ],
  ["a typo", '{\n\n  "modle": "x" }', 3, 'there is no setting "modle"; did you mean model?'],
  [
    "a part for the whole",
    '{"correction": "x" }',
    1,
    'there is no setting "correction"; did you mean correctionModel?',
  ],
  ["what nobody knows", '{"colour": "x" }', 1, 'there is no setting "colour"; known are model, correctionModel'],
  ["a secret", '{"firecrawlKey": "x" }', 1, 'there is no setting "firecrawlKey"; known are'],
  ["a list", '{"model": ["x"]}', 1, "model must be a text, a number, true or false; it is not used"],
  ["no JSON", '{\n "model": "x",\n maxRounds: 3\n}', 3, "this is no JSON; nothing of the file is used"],
  ["an end in the middle", '{\n "model": "x"\n', 3, "this is no JSON; nothing of the file is used"],
  ["no object", "[1]", 1, "an object of settings is expected; nothing of the file is used"],
  ["a prototype", '{"__proto__": {"debug": true}}', 1, 'there is no setting "__proto__"'],
])("%s is named with file and line, and the default counts", (_what, text, line, problem) => {
  const { config, problems } = load(text);
  expect(problems).toEqual([expect.stringContaining(`${path}:${line}: ${problem}`)]);
  expect(config).toMatchObject({ maxRounds: 5, debug: false });
});

test("an empty file says nothing, a folder in its place is a problem", () => {
  expect(load(" \n").problems).toEqual([]);
  rmSync(path);
  mkdirSync(path);
  const host = { platform: "linux", homeDir: home, cwd: "/srv", pid: 1 } as const;
  expect(loadConfig({ env: {}, host }).problems).toEqual([
    expect.stringContaining(`${path} cannot be read, nothing of it is used: `),
  ]);
});

const here = () => ({ env: {}, host: { platform: "linux", homeDir: home, cwd: "/srv", pid: 1 } as const });

test.runIf(process.platform === "linux")("a pipe, a device and a file without end are not read", async () => {
  const makes = [
    () => promisify(execFile)("mkfifo", [path]),
    () => symlinkSync("/dev/zero", path),
    () => {
      writeFileSync(path, "");
      truncateSync(path, 3e9);
    },
  ];
  for (const make of makes) {
    rmSync(path, { force: true });
    await make();
    expect(loadConfig(here()).problems).toEqual([expect.stringMatching(/config\.json .*nothing of it is used/)]);
  }
});

test.skipIf(process.platform === "win32")(
  "of a file that others may write to nothing counts, and how to mend it is said",
  () => {
    load('{"cliPath":"/their/program"}');
    chmodSync(path, 0o666);
    const { config, problems } = loadConfig(here());
    expect(config.cliPath).toBe("gemini");
    expect(problems).toEqual([
      `${path}: nothing of the file is used: it may be changed by others, who could have any program run: chmod 600 ${path}`,
    ]);
    // What an editor makes where each user has a group.
    for (const mode of [0o600, 0o664]) {
      chmodSync(path, mode);
      expect(loadConfig(here())).toMatchObject({ config: { cliPath: "/their/program" }, problems: [] });
    }
  },
);

test.runIf(process.geteuid?.() === 0)("nothing counts of a file of another user, also behind a link", () => {
  const theirs = join(home, "theirs.json");
  writeFileSync(theirs, '{"cliPath":"/their/program"}', { mode: 0o600 });
  chownSync(theirs, 12_345, 12_345);
  symlinkSync(theirs, path);
  const { config, problems } = loadConfig(here());
  expect(config.cliPath).toBe("gemini");
  expect(problems).toEqual([
    expect.stringContaining(`${path}: nothing of the file is used: it belongs to another user (12345)`),
  ]);
});
