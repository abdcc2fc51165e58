import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readRecord, removeRecord } from "../../src/cli/session-file.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "session-file-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A record as the CLI keeps it, in which a model is named. */
function keep(session: string, project: string, lines: boolean): string {
  const chats = path.join(home, ".gemini", "tmp", project, "chats");
  mkdirSync(chats, { recursive: true });
  const turn = { id: "1", type: "gemini", model: `of ${session}` };
  const text = lines
    ? [{ sessionId: session, kind: "main" }, turn].map((line) => JSON.stringify(line)).join("\n")
    : JSON.stringify({ sessionId: session, messages: [turn] }, null, 2);
  writeFileSync(path.join(chats, `session-2026-11-20T08-10-${session.slice(0, 8)}.json`), text);
  return path.dirname(chats);
}

test.each([
  ["as lines", true],
  ["as one object", false],
])("of two sessions that begin alike each has its own record, %s", async (_, lines) => {
  const [one, two] = ["140e015a-aaaa", "140e015a-bbbb"];
  const [first, second] = [keep(one, "1", lines), keep(two, "2", lines)];
  for (const session of [one, two]) {
    expect((await readRecord(home, undefined, { name: session, unrecorded: [] }))?.models).toEqual([`of ${session}`]);
  }
  expect(await readRecord(home, undefined, { name: "140e015a-cccc", unrecorded: [] })).toBeUndefined();
  await removeRecord(home, two);
  expect([existsSync(first), existsSync(second)]).toEqual([true, false]);
  expect((await readRecord(home, undefined))?.models).toEqual([`of ${one}`]);
});
