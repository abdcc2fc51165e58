import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { type Disk, findCli, findCliOn, findOtherClis, type Machine } from "../../src/cli/find-cli.js";
import { CLI, test } from "../small-world.js";

/** A disk of another platform. */
function disk(files: Record<string, string>): Disk {
  const isFile = async (file: string) => file in files;
  return { isFile, isProgram: isFile, realPath: async (file) => file, read: async (file) => files[file] ?? "" };
}

function machine(platform: NodeJS.Platform, files: Disk): Machine {
  return { platform, node: platform === "win32" ? "node.exe" : process.execPath, disk: files };
}

/** What npm writes beside the packages of a Windows user. */
const NPM_CMD = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js" %*
`;
const PACKAGE = JSON.stringify({ name: "@google/gemini-cli", version: "0.61.0" });
const ENTRY = "node_modules\\@google\\gemini-cli\\bundle\\gemini.js";
const WINDOWS = {
  "C:\\Users\\Ann Lee\\npm\\gemini.cmd": NPM_CMD,
  "C:\\Users\\Ann Lee\\npm\\gemini": "#!/bin/sh\n",
  [`C:\\Users\\Ann Lee\\npm\\${ENTRY}`]: "#!/usr/bin/env node\n",
  "C:\\Users\\Ann Lee\\npm\\node_modules\\@google\\gemini-cli\\package.json": PACKAGE,
  "D:\\tools\\gemini.exe": "MZ",
  "D:\\batch\\gemini.bat": "@echo off\r\nset /p x=\r\n",
};
const FOUND = {
  file: "node.exe",
  args: [`C:\\Users\\Ann Lee\\npm\\${ENTRY}`],
  script: true,
  version: "0.61.0",
};

describe("on Windows", () => {
  test.for([
    ["npm's shim on Path", { env: { Path: 'C:\\Windows;"C:\\Users\\Ann Lee\\npm"' } }, FOUND],
    ["npm's shim by its path", { command: "C:\\Users\\Ann Lee\\npm\\gemini.cmd", env: {} }, FOUND],
    ["npm's shim by its path without extension", { command: "C:/Users/Ann Lee/npm/gemini", env: {} }, FOUND],
    ["a program", { env: { PATH: "D:\\tools" } }, { file: "D:\\tools\\gemini.exe", args: [], script: false }],
  ] as const)("%s is found", async ([, options, expected]) => {
    const found = await findCliOn(machine("win32", disk(WINDOWS)), options);
    expect(found).toEqual({ ...expected, file: expected.file });
  });

  test.for([
    ["a script that needs a shell", "D:\\batch", /at gemini is a script for a shell/],
    ["a folder of the working directory", ".;tools", /is not on PATH/],
  ] as const)("%s is not", async ([, PATH, message]) => {
    const finding = findCliOn(machine("win32", disk(WINDOWS)), { env: { PATH } });
    await expect(finding).rejects.toMatchObject({ code: "CLI_NOT_FOUND", message: expect.stringMatching(message) });
  });
});

describe("on Linux and macOS", () => {
  const installed = { file: process.execPath, args: [CLI], script: true, version: "0.61.0" };

  test("a link, as npm makes it", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("bin");
    await symlink(CLI, path.join(folder, "gemini"));
    expect(await findCli({ env: { PATH: `relative::${folder}` } })).toEqual(installed);
  });

  test("a shim, as pnpm makes it", async () => {
    const PATH = path.join(import.meta.dirname, "../../node_modules/.bin");
    expect(await findCli({ env: { PATH } })).toEqual(installed);
    expect(await findCli({ env: {}, command: path.join(PATH, "gemini") })).toEqual(installed);
  });

  test.for([
    'exec node  "$basedir/../lib/node_modules/@google/gemini-cli/bundle/gemini.js" "$@"',
    'exec node  "$basedir_abs"/\'../lib/node_modules/@google/gemini-cli/bundle/gemini.js\' "$@"',
    'exec "/opt/node/bin/node" "/opt/lib/node_modules/@google/gemini-cli/bundle/gemini.js" "$@"',
  ])("the shim %s", async (line) => {
    const entry = "/opt/lib/node_modules/@google/gemini-cli/bundle/gemini.js";
    const files = {
      "/opt/bin/gemini": `#!/bin/sh\n${line}\n`,
      [entry]: "",
      "/opt/lib/node_modules/@google/gemini-cli/bundle/package.json": '{"type":"module"}',
      "/opt/lib/node_modules/@google/gemini-cli/package.json": PACKAGE,
    };
    const found = await findCliOn(machine("linux", disk(files)), { env: { PATH: "/opt/bin" } });
    expect(found).toEqual({ ...installed, args: [entry] });
  });

  test("the JavaScript itself, executable or not", async () => {
    expect(await findCli({ env: {}, command: CLI })).toEqual(installed);
  });

  test("a program that is no JavaScript is started as it is", async ({ temporaryFolder }) => {
    const file = path.join(await temporaryFolder("bin"), "gemini");
    await writeFile(file, "#!/bin/sh\necho hello\n", { mode: 0o755 });
    expect(await findCli({ env: { PATH: path.dirname(file) } })).toEqual({ file, args: [], script: false });
  });

  test("a program that may be started but not read is started as it is", async () => {
    const unreadable = { ...disk({ "/opt/gemini": "" }), read: () => Promise.reject(new Error("EACCES")) };
    const found = await findCliOn(machine("linux", unreadable), { env: {}, command: "/opt/gemini" });
    expect(found).toEqual({ file: "/opt/gemini", args: [], script: false });
  });

  test("what is no program is passed over", async ({ temporaryFolder }) => {
    const folder = await temporaryFolder("bin");
    await mkdir(path.join(folder, "gemini"));
    const other = await temporaryFolder("bin");
    await writeFile(path.join(other, "gemini"), "text");
    await chmod(path.join(other, "gemini"), 0o644);
    await expect(findCli({ env: { PATH: `${folder}:${other}` } })).rejects.toMatchObject({ code: "CLI_NOT_FOUND" });
  });

  test("a command that is not there [search/cli-not-found]", async () => {
    await expect(findCli({ env: {}, command: "/nowhere/gemini" })).rejects.toMatchObject({
      code: "CLI_NOT_FOUND",
      message: "Gemini CLI at /nowhere/gemini was not found",
      nextStep: "Install it with: npm install -g @google/gemini-cli",
    });
  });

  test("a CLI that is too old", async () => {
    const files = { "/opt/gemini.js": "", "/opt/package.json": PACKAGE.replace("0.61.0", "0.20.2") };
    const finding = findCliOn(machine("linux", disk(files)), { env: {}, command: "/opt/gemini.js" });
    await expect(finding).rejects.toMatchObject({
      code: "EXECUTION_ERROR",
      reason: "unsupported-version",
      message: expect.stringContaining("Gemini CLI 0.20.2 (/opt/gemini.js) is too old"),
    });
  });

  test("the others on PATH, each once, and not the one that is used", async ({ temporaryFolder }) => {
    const root = await temporaryFolder("path");
    const install = async (name: string, version: string) => {
      const folder = path.join(root, name);
      await mkdir(folder);
      await writeFile(path.join(folder, "package.json"), PACKAGE.replace("0.61.0", version));
      await writeFile(path.join(folder, "gemini"), "#!/usr/bin/env node\n", { mode: 0o755 });
      return folder;
    };
    const [first, second] = [await install("first", "0.61.0"), await install("second", "0.50.1")];
    const [links, browser] = [path.join(root, "links"), path.join(root, "browser")];
    await Promise.all([mkdir(links), mkdir(browser)]);
    await symlink(path.join(first, "gemini"), path.join(links, "gemini"));
    await writeFile(path.join(browser, "gemini"), "#!/bin/sh\n", { mode: 0o755 });
    const env = { PATH: [first, links, second, second, browser].join(path.delimiter) };
    const others = [{ file: path.join(second, "gemini"), version: "0.50.1" }, { file: path.join(browser, "gemini") }];
    expect(await findOtherClis({ env })).toEqual(others);
    expect(await findOtherClis({ env: { PATH: first } })).toEqual([]);
    const named = path.join(second, "gemini");
    expect(await findOtherClis({ env: { PATH: first }, command: named })).toEqual([
      { file: path.join(first, "gemini"), version: "0.61.0" },
    ]);
    expect(await findOtherClis({ env: { PATH: second }, command: "/nowhere/gemini" })).toEqual([
      { file: named, version: "0.50.1" },
    ]);
  });

  test("a CLI that is too old, before a newer one on PATH, or where a newer one is on PATH", async () => {
    const at = (folder: string, version: string) => ({
      [`/${folder}/gemini`]: "#!/usr/bin/env node\n",
      [`/${folder}/package.json`]: PACKAGE.replace("0.61.0", version),
    });
    const files = disk({ ...at("old", "0.20.2"), ...at("older", "0.9.0"), ...at("new", "0.60.1") });
    const env = { PATH: "/nothing:/old:/older:/new" };
    for (const command of [undefined, "/old/gemini"]) {
      await expect(findCliOn(machine("linux", files), { env, command })).rejects.toMatchObject({
        reason: "unsupported-version",
        newerCli: "/new/gemini",
        message:
          "Gemini CLI 0.20.2 (/old/gemini) is too old: at least 0.35.3 is needed. A newer one is on PATH: 0.60.1 (/new/gemini)",
      });
    }
    const error = await findCliOn(machine("linux", files), { env: { PATH: "/old:/older" } }).catch((thrown) => thrown);
    expect(error).toMatchObject({ reason: "unsupported-version", message: expect.not.stringContaining("newer") });
    expect(error).not.toHaveProperty("newerCli");
  });
});
