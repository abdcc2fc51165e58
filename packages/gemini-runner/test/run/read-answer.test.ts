import { expect, test } from "vitest";
import type { CliEvent, CliRun } from "../../src/process/cli-run.js";
import { Inbox } from "../../src/process/inbox.js";
import { readAnswer } from "../../src/run/read-answer.js";

const note = { type: "guard", note: { type: "turn" } } as const;
const say = (text: string): CliEvent => ({ type: "line", line: { type: "text", text } });
const call = (id: string): CliEvent[] => [
  {
    type: "line",
    line: { type: "tool-call", event: { type: "tool-call", id, tool: "nope", parameters: {} } } as never,
  },
  { type: "line", line: { type: "tool-result", id, ok: false } },
];

/** What is said of a run that is asked twice at most. */
async function errorOf(events: readonly CliEvent[]): Promise<unknown> {
  const inbox = new Inbox<CliEvent>();
  for (const event of events) inbox.push(event);
  inbox.push({ type: "exit", exit: { exitCode: 1 } });
  const run = { inbox, key: undefined, stop() {}, finish() {} } as unknown as CliRun;
  const none = Number.POSITIVE_INFINITY;
  const times = { timeoutMs: none, leftMs: none, toolTimeoutMs: none, idleTimeoutMs: none };
  const answer = readAnswer(run, { first: [], ...times, maxTurns: 2, maxToolCalls: none });
  try {
    for (let step = await answer.next(); !step.done; step = await answer.next());
  } catch (error) {
    return error;
  }
  return undefined;
}

const [first, second] = [
  [say("one"), ...call("a")],
  [say("two"), ...call("b")],
];

test.each<[string, CliEvent[]]>([
  ["in order", [note, ...first, note, ...second, note]],
  ["the turn too many begins to speak", [note, ...first, note, ...second, note, say("three")]],
  ["the last turn calls no tool", [note, ...first, note, say("two"), note]],
])("of a run with too many turns the words of all that it may have are told: %s", async (_, events) => {
  expect(await errorOf(events)).toMatchObject({ reason: "turns", text: "one\n\ntwo" });
});

test("a quota is that of the model, also where the guard tells of the call after the CLI has told that it waits", async () => {
  const text = "Attempt 1 failed with status 429. You exceeded your current quota. Retrying after 17000ms...\n";
  const failure = { status: 429, code: "RESOURCE_EXHAUSTED", path: "/v1beta/models/gemini-2.5-flash:generateContent" };
  const said: CliEvent = { type: "stderr", text };
  const told = { type: "guard", note: { type: "failure", failure } } as unknown as CliEvent;
  const [early, late] = [await errorOf([told, said]), await errorOf([said, told])];
  expect(early).toMatchObject({ code: "QUOTA_EXCEEDED", model: "gemini-2.5-flash" });
  expect(late).toEqual(early);
});
