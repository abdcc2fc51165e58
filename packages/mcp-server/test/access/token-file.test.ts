import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { digestOf } from "../../src/access/principal.js";
import { addToken, limitTenant, removeTokens } from "../../src/access/token-edits.js";
import { createTokenFile, readTokens } from "../../src/access/token-file.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tokens-"));
  path = join(folder, "made", "tokens.json");
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const sha256 = "a".repeat(64);
function put(value: unknown, mode = 0o600): void {
  path = join(folder, "tokens.json");
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  chmodSync(path, mode);
}

test("a token is given once and kept as its digest, in a file for its owner's eyes alone", async () => {
  const token = await addToken(path, "ada", { running: 2, per_minute: 60 });
  expect(token).toMatch(/^xr_[\w-]{43}$/);
  expect(readFileSync(path, "utf8")).not.toContain(token.slice(3));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const file = createTokenFile(path, () => {});
  await file.load();
  const limits = { running: 2, perMinute: 60 };
  expect(await file.principalOf(token)).toEqual({ owner: "tenant:ada", limits });
  expect(await file.principalOf(`${token}x`)).toBeUndefined();
});

test("a tenant may have several tokens, and all of them go at once", async () => {
  await addToken(path, "ada");
  await addToken(path, "ada");
  await addToken(path, "bob");
  expect(await removeTokens(path, "ada")).toBe(2);
  expect((await readTokens(path)).map(({ name }) => name)).toEqual(["bob"]);
  expect(await removeTokens(path, "ada")).toBe(0);
});

test("one token of a tenant goes by digits that are its own alone", async () => {
  const [one, other] = [`${"a".repeat(63)}b`, `${"a".repeat(63)}c`];
  put([one, other].map((digest) => ({ name: "ada", sha256: digest })));
  for (const digits of ["", "a", "a".repeat(63)]) {
    await expect(removeTokens(path, "ada", digits)).rejects.toThrow("could be several tokens of ada");
  }
  expect(await readTokens(path)).toHaveLength(2);
  expect(await removeTokens(path, "bob", one)).toBe(0);
  expect(await removeTokens(path, "ada", one)).toBe(1);
  expect((await readTokens(path)).map((entry) => entry.sha256)).toEqual([other]);
});

test("limits are the tenant's, whichever token comes: the lowest of each; one changes them for all", async () => {
  const ada = await addToken(path, "ada", { running: 2, per_minute: 60 });
  // A token more is no way around them.
  const more = await addToken(path, "ada");
  await addToken(path, "bob", { kept: 1 });
  const present = async (token: string) => {
    const file = createTokenFile(path, () => {}, { queued: 7 });
    await file.load();
    return (await file.principalOf(token))?.limits;
  };
  expect(await present(more)).toEqual({ running: 2, perMinute: 60, queued: 7 });
  const [first, second, bob] = await readTokens(path);
  put([{ ...first, limits: { running: 5, kept: 3 } }, { ...second, limits: { running: 3 } }, bob]);
  for (const token of [ada, more]) expect(await present(token)).toEqual({ running: 3, kept: 3, queued: 7 });
  expect(await limitTenant(path, "ada", { running: 9, queued: 0, kept: undefined })).toEqual({ running: 9, queued: 0 });
  for (const token of [ada, more]) expect(await present(token)).toEqual({ running: 9, queued: 0 });
  expect((await readTokens(path))[2]).toEqual(bob);
  expect(await limitTenant(path, "eve", { running: 1 })).toBeUndefined();
});

test("the file is read again when it has changed: who is added comes in, who is removed does not", async () => {
  const clock = vi.spyOn(performance, "now");
  let nowMs = 0;
  clock.mockImplementation(() => nowMs);
  const ada = await addToken(path, "ada");
  const file = createTokenFile(path, () => {});
  await file.load();
  const bob = await addToken(path, "bob");
  await removeTokens(path, "ada");
  expect(await file.principalOf(bob)).toBeUndefined();
  nowMs += 1_001;
  expect(await file.principalOf(bob)).toMatchObject({ owner: "tenant:bob" });
  expect(await file.principalOf(ada)).toBeUndefined();
  // What cannot be read lets nobody in, until it can.
  chmodSync(path, 0o666);
  nowMs += 1_001;
  await expect(file.principalOf(bob)).rejects.toThrow("Others may write");
  await expect(file.principalOf(bob)).rejects.toThrow("Others may write");
  chmodSync(path, 0o600);
  utimesSync(path, 1, 1);
  expect(await file.principalOf(bob)).toMatchObject({ owner: "tenant:bob" });
});

test("a change that leaves size and time as they were is seen", async () => {
  put([{ name: "ada", sha256: digestOf("of ada").toString("hex") }]);
  // A whole second is kept exactly by every file system.
  utimesSync(path, 1_000, 1_000);
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const file = createTokenFile(path, () => {});
  await file.load();
  const { ctimeMs } = statSync(path);
  // The clock of a file system may stand still for some milliseconds.
  await vi.waitFor(() => {
    writeFileSync(path, JSON.stringify([{ name: "bob", sha256: digestOf("of bob").toString("hex") }]));
    utimesSync(path, 1_000, 1_000);
    expect(statSync(path).ctimeMs).not.toBe(ctimeMs);
  });
  nowMs += 1_001;
  expect(await file.principalOf("of ada")).toBeUndefined();
  expect(await file.principalOf("of bob")).toMatchObject({ owner: "tenant:bob" });
});

test("what is written is on the disk before it takes the place of what was there", async () => {
  put([]);
  const file = await open(path);
  const handles = Object.getPrototypeOf(file);
  await file.close();
  const { sync } = handles;
  const inPlace: string[] = [];
  vi.spyOn(handles, "sync").mockImplementation(async function (this: unknown) {
    inPlace.push(readFileSync(path, "utf8"));
    await sync.call(this);
  });
  await addToken(path, "ada");
  expect(inPlace).toEqual(["[]"]);
});

test("a file that changes while it is read is read again: who was removed is out", async () => {
  const clock = vi.spyOn(performance, "now");
  let nowMs = 0;
  clock.mockImplementation(() => nowMs);
  for (let n = 0; n < 200; n++) {
    const ada = await addToken(path, `ada${n}`);
    const file = createTokenFile(path, () => {});
    const loading = file.load();
    const draft = `${path}.new`;
    writeFileSync(draft, "[]", { mode: 0o600 });
    renameSync(draft, path);
    await loading;
    nowMs += 1_001;
    expect(await file.principalOf(ada)).toBeUndefined();
  }
});

test("the file stays whose it is, and as readable as it is", async () => {
  put([], 0o640);
  await addToken(path, "ada");
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

const isRoot = process.geteuid?.() === 0;

test.runIf(isRoot)("root leaves it to its owner, and makes a new one for whoever has the folder", async () => {
  put([]);
  chownSync(path, 12_345, 23_456);
  await addToken(path, "ada");
  expect(statSync(path)).toMatchObject({ uid: 12_345, gid: 23_456 });
  // A server does not take the word of another user.
  await expect(readTokens(path)).rejects.toThrow("belongs to another user");
  rmSync(path);
  chownSync(folder, 12_345, 23_456);
  await addToken(path, "ada");
  expect(statSync(path)).toMatchObject({ uid: 12_345, gid: 23_456 });
});

test.runIf(isRoot)("who cannot leave it to its owner is told so, and nothing has changed", async () => {
  put([]);
  const before = readFileSync(path, "utf8");
  const file = await open(path);
  const handles = Object.getPrototypeOf(file);
  await file.close();
  const denied = Object.assign(new Error("EPERM"), { code: "EPERM" });
  vi.spyOn(handles, "chown").mockRejectedValue(denied);
  chownSync(path, 0, 23_456);
  await expect(addToken(path, "ada")).rejects.toThrow("do it as that user or as root");
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(folder)).toEqual(["tokens.json"]);
});

describe("a file is refused", () => {
  test.each([
    ["no JSON", "[{", /is no list of tokens in JSON: repair it, or move it away/],
    ["no list", {}, /is no list of tokens in JSON/],
    ["an entry that is no object", [1], /Token 1 .*an object is expected/],
    ["a name that could mean something", [{ name: "a b", sha256 }], /name must be/],
    ["another one", [{ name: "../x", sha256 }], /name must be/],
    ["a token itself", [{ name: "a", sha256: "xr_secret" }], /sha256 must be 64/],
    [
      "one token of two tenants",
      [
        { name: "a", sha256 },
        { name: "b", sha256 },
      ],
      /Token 2 .*that of token 1/,
    ],
    ["an unknown limit", [{ name: "a", sha256, limits: { runing: 1 } }], /limits.runing is none of/],
    ["a limit below zero", [{ name: "a", sha256, limits: { running: -1 } }], /whole number/],
  ])("with %s", async (_, value, reason) => {
    put(value);
    await expect(readTokens(path)).rejects.toThrow(reason);
    await expect(createTokenFile(path, () => {}).load()).rejects.toThrow(reason);
  });

  test.each([0o620, 0o602, 0o666])("that others may write to: %o", async (mode) => {
    put([], mode);
    await expect(readTokens(path)).rejects.toThrow(/Others may write .*chmod 600/);
  });

  test("that is not there, is a folder, or a pipe", async () => {
    await expect(readTokens(path)).rejects.toThrow("cannot be read");
    await expect(readTokens(folder)).rejects.toThrow("cannot be read");
    const pipe = join(folder, "pipe");
    await promisify(execFile)("mkfifo", ["-m", "600", pipe]);
    await expect(readTokens(pipe)).rejects.toThrow("cannot be read");
  });
});
