import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandName } from "../../src/host/command-name.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "command name-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linux = { platform: "linux" } as const;

/** A file in the folder, with the folders above it. */
function put(path: string, text = ""): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test.each([
  ["npx", "/home/ada/.npm/_npx/0a1b/node_modules/@x/mcp-server/dist/bin.js", "npx @x/mcp-server"],
  ["npx on Windows", "C:\\npm-cache\\_npx\\0a1b\\node_modules\\@x\\mcp-server\\dist\\bin.js", "npx @x/mcp-server"],
  ["pnpm dlx", "/home/ada/.cache/pnpm/dlx/0a1b/node_modules/@x/mcp-server/dist/bin.js", "pnpm dlx @x/mcp-server"],
  ["a project that has it", "/srv/app/node_modules/@x/mcp-server/dist/bin.js", "npx @x/mcp-server"],
  ["its file", "/srv/mcp server/dist/bin.js", 'node "/srv/mcp server/dist/bin.js"'],
])("started through %s", (_how, script, expected) => {
  expect(commandName({ script, env: { PATH: "/usr/bin" }, host: linux })).toBe(expected);
});

test("installed: a link on PATH that leads to it", () => {
  const script = put("lib/node_modules/@x/mcp-server/dist/bin.js");
  mkdirSync(join(folder, "bin"));
  symlinkSync(script, join(folder, "bin/mcp-server"));
  const started = { script, env: { PATH: `/nowhere:${folder}/bin` }, host: linux };
  expect(commandName(started)).toBe("mcp-server");
  symlinkSync(script, join(folder, "bin/x-research"));
  expect(commandName(started)).toBe("x-research");
});

test("installed: a shim on PATH that starts it", () => {
  const script = put("global/node_modules/@x/mcp-server/dist/bin.js");
  put("bin/mcp-server", 'exec node "$basedir/../global/node_modules/@x/mcp-server/dist/bin.js" "$@"');
  expect(commandName({ script, env: { PATH: `${folder}/bin` }, host: linux })).toBe("mcp-server");
});

test("another program of this name, or a folder that a package manager put in front, does not count", () => {
  const script = put("node_modules/@x/mcp-server/dist/bin.js");
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync(script, join(folder, "node_modules/.bin/mcp-server"));
  put("bin/mcp-server", "#!/bin/sh\n");
  const PATH = `${folder}/node_modules/.bin:${folder}/bin`;
  expect(commandName({ script, env: { PATH }, host: linux })).toBe("npx @x/mcp-server");
});

test("a pipe of this name is not read", async () => {
  const script = put("lib/node_modules/@x/mcp-server/dist/bin.js");
  await promisify(execFile)("mkfifo", [join(folder, "mcp-server")]);
  expect(commandName({ script, env: { PATH: folder }, host: linux })).toBe("npx @x/mcp-server");
});
