import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processesOf } from "./support/place.js";

const DEMO = fileURLToPath(new URL("../demo/demo.mjs", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "demo-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The demo, whose temporary files lie in the folder. */
function demo(...args: string[]) {
  const child = spawn(process.execPath, [DEMO, ...args], { env: { ...process.env, TMPDIR: folder }, stdio: "pipe" });
  const written = { out: "", err: "" };
  child.stdout.on("data", (text) => {
    written.out += text;
  });
  child.stderr.on("data", (text) => {
    written.err += text;
  });
  return { child, closed: once(child, "close").then(([code]) => ({ code: code as number | null, ...written })) };
}

test("--help shows how it is used; an option that it does not know is no question", async () => {
  expect(await demo("--help").closed).toMatchObject({ code: 0, out: expect.stringContaining("npm run demo") });
  expect(await demo("--liv", "Is it so?").closed).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(/--liv[\s\S]*npm run demo/),
  });
});

test("its claims are quoted from pages that were read, but for the one whose page was not; it names the page it wrote", async () => {
  const { code, out, err } = await demo().closed;
  expect({ code, failed: err.match(/^.*failed.*$/gm) }).toEqual({ code: 0, failed: null });
  expect(out).toMatch(/^Offline: .*local model server/);
  expect(out).toContain("5 of 6 claims proven");
  expect(out).toMatch(/27 leap seconds .*\(quoted: .*\n +- ✓ “The first was added on 30 June 1972, and 27 have/);
  expect(out).toContain("- **Unsupported:** Google spreads a leap second over 24 hours.");
  const [, page = ""] = /Open the page in a browser: (.*)/.exec(out) ?? [];
  expect(await readFile(page, "utf8")).toContain("5 of 6 claims proven");
}, 180_000);

test.each<[string, "stdout" | "stderr", string, number, (child: ReturnType<typeof demo>["child"]) => void]>([
  ["nobody reads it any more", "stdout", "deep-search", 141, (child) => child.stdout.destroy()],
  ["its terminal is gone in the middle of a round", "stderr", "searching", 129, (child) => void child.kill("SIGHUP")],
])("%s: it ends, and nothing of it stays", async (_what, stream, at, code, leave) => {
  const { child, closed } = demo();
  let heard = "";
  for await (const text of child[stream].iterator({ destroyOnReturn: false })) {
    heard += text;
    if (heard.includes(at)) break;
  }
  leave(child);
  const ended = await closed;
  expect(ended.code).toBe(code);
  expect(ended.err).not.toMatch(/^\s+at /m);
  // A server that takes long to close is killed: its run, which notices by itself, is gone a moment later.
  await expect.poll(() => processesOf(folder)).toEqual([]);
  // The CLI keeps what it has compiled, for its next start.
  expect((await readdir(folder)).filter((name) => name.startsWith("research-"))).toEqual([]);
});
