import { chmod, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, vi } from "vitest";
import { type CompileCache, compileCache } from "../../src/process/compile-cache.js";
import { test } from "../small-world.js";

const cli = { file: "node", args: ["gemini.js"], script: true, version: "0.61.0" };

const folderOf = ({ env: { NODE_COMPILE_CACHE = "" } }: CompileCache) => NODE_COMPILE_CACHE;
const NONE = { env: {}, empty: false };

test("Node 22 keeps compiled code in a folder that is the user's alone, for this version of the CLI", async ({
  temporaryFolder,
}) => {
  const parent = await temporaryFolder("runs");
  const older = await compileCache(parent, { ...cli, version: "0.60.0" }, "22.23.0");
  expect(await readdir(parent)).toEqual([path.basename(folderOf(older))]);
  const folder = folderOf(await compileCache(parent, cli, "22.23.0"));
  expect(await readdir(parent)).toEqual([path.basename(folder)]);
  expect(((await stat(folder)).mode & 0o077).toString(8)).toBe("0");
});

test("Node 20, an unknown version and a program of another kind have none", async ({ temporaryFolder }) => {
  const parent = await temporaryFolder("runs");
  expect(await compileCache(parent, cli, "20.20.2")).toEqual(NONE);
  expect(await compileCache(parent, { file: "node", args: ["x.js"], script: true }, "22.23.0")).toEqual(NONE);
  expect(await compileCache(parent, { file: "gemini", args: [], script: false }, "22.23.0")).toEqual(NONE);
  expect(await readdir(parent)).toEqual([]);
});

test("a folder that others can write to is not used", async ({ temporaryFolder }) => {
  const parent = await temporaryFolder("runs");
  const folder = folderOf(await compileCache(parent, cli, "22.23.0"));
  await chmod(folder, 0o777);
  expect(await compileCache(parent, cli, "22.23.0")).toEqual(NONE);
  const elsewhere = await temporaryFolder("runs");
  await mkdir(path.join(elsewhere, "target"));
  await symlink(path.join(elsewhere, "target"), path.join(elsewhere, path.basename(folder)));
  expect(await compileCache(elsewhere, cli, "22.23.0")).toEqual(NONE);
});

test("a user without an entry in the system's list, as in a container, has one too", async ({ temporaryFolder }) => {
  const parent = await temporaryFolder("runs");
  const list = vi.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  });
  expect(folderOf(await compileCache(parent, cli, "22.23.0"))).not.toBe("");
  list.mockRestore();
});

test("it is empty until this version of Node has written to it", async ({ temporaryFolder }) => {
  const parent = await temporaryFolder("runs");
  const first = await compileCache(parent, cli, "22.23.0");
  expect(first.empty).toBe(true);
  for (const name of ["v22.23.0-x64-abc-0", "v24.1.0-x64-abc-0"]) await mkdir(path.join(folderOf(first), name));
  expect((await compileCache(parent, cli, "22.23.0")).empty).toBe(true);
  await writeFile(path.join(folderOf(first), "v22.23.0-x64-abc-0", "code"), "");
  expect((await compileCache(parent, cli, "22.23.0")).empty).toBe(false);
  expect((await compileCache(parent, cli, "24.1.0")).empty).toBe(true);
});
