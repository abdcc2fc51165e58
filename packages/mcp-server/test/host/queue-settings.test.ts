import { expect, test } from "vitest";
import { readQueueSettings } from "../../src/host/queue-settings.js";

test("without a queue jobs are in files", () => {
  expect(readQueueSettings({ MCP_SERVER_QUEUE: " " })).toEqual({
    ok: true,
    queue: undefined,
    key: { running: undefined, perMinute: undefined },
  });
});

test.each(["redis://127.0.0.1:6379/1", "rediss://u:p@host", "postgres://u:p@host/db", "postgresql://host/db"])(
  "%s is a queue",
  (url) => {
    const key = { running: 4, perMinute: 60 };
    const env = { MCP_SERVER_QUEUE: url, MCP_SERVER_KEY_RUNNING: "4", MCP_SERVER_KEY_PER_MINUTE: "60" };
    expect(readQueueSettings(env)).toEqual({ ok: true, queue: { url, key }, key });
  },
);

test.each([
  [{ MCP_SERVER_QUEUE: "mysql://u:secret@host/db" }, /MCP_SERVER_QUEUE cannot be read: expected redis:/],
  [{ MCP_SERVER_QUEUE: "redis" }, /MCP_SERVER_QUEUE cannot be read/],
  [{ MCP_SERVER_QUEUE: "redis://u:secret@host/name" }, /names a database of Redis that is no number/],
  [{ MCP_SERVER_QUEUE: "rediss://host/0/1" }, /names a database of Redis that is no number/],
  [{ MCP_SERVER_QUEUE: "redis://host/1e1" }, /names a database of Redis that is no number/],
  [{ MCP_SERVER_QUEUE: "redis://host", MCP_SERVER_KEY_RUNNING: "0" }, /MCP_SERVER_KEY_RUNNING is "0": expected/],
  [{ MCP_SERVER_QUEUE: "redis://host", MCP_SERVER_KEY_PER_MINUTE: "x" }, /MCP_SERVER_KEY_PER_MINUTE is "x"/],
])("%o stops the start, and no password is told", (env, problem) => {
  const read = readQueueSettings(env);
  expect(read).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  expect(JSON.stringify(read)).not.toContain("secret");
});
