import { expect, test } from "vitest";
import type { ToolCall } from "../../src/cli/guard-notes.js";
import { PooledCalls } from "../../src/process/pooled-calls.js";

/** How the CLI names its second and third call, of which each version has its own way. */
const NAMES: [string, (tool: string, n: number) => string][] = [
  ["0.35", (tool) => `${tool}-1795400613140`],
  ["0.40", (tool, n) => `${tool}-1795400615311-${n}`],
  ["0.45 and later", (tool, n) => `${tool}__${tool}_1795400617360_${n}`],
  ["0.45 and later, where it manages the context", (tool, n) => `${tool}__synth_session-1########0_1795400617360_${n}`],
  ["a later one, perhaps", (_, n) => `5f0c7a52-${n}`],
];

function wanting(...calls: ToolCall[]): PooledCalls {
  const wanted = new PooledCalls();
  for (const call of calls) wanted.want(call);
  return wanted;
}

const called = (tool: string, parameters: Record<string, string> = {}): ToolCall => ({ tool, parameters });
const told = (tool: string, more: object = {}) =>
  expect.objectContaining({ type: "tool-call", event: expect.objectContaining({ tool, ...more }) });
const ok = (id: string) => ({ type: "tool-result", id, ok: true }) as const;

test.for(NAMES)("a call by the API's own name and by that of %s is the one that the model made", ([, nameOf]) => {
  const calls = wanting(called("web_fetch"), called("google_web_search", { query: "a" }));
  const [first, second] = [nameOf("web_fetch", 1), nameOf("google_web_search", 2)];
  expect([...calls.begin(first), ...calls.end(ok(first)), ...calls.begin(second)]).toEqual([
    told("web_fetch"),
    ok(first),
    told("google_web_search", { id: second, query: "a" }),
  ]);
});

test.for(NAMES.slice(0, -1))("one of a tool that is not there is refused, whatever its name: %s", ([, nameOf]) => {
  // Names that the next one begins with, or that look like the name of a call.
  const missing = ["google", "google_web_search_", "google_web_search_1", "", "google_web_search__x"];
  const calls = wanting(
    ...missing.map((tool) => called(tool)),
    called("google_web_search", { query: "a" }),
    called("x"),
  );
  const id = nameOf("google_web_search", 9);
  const lines = calls.begin(id);
  expect(lines.filter(({ type }) => type === "tool-result")).toMatchObject(
    missing.map((tool) => ({ ok: false, message: `Tool "${tool}" not found.` })),
  );
  expect(lines.at(-1)).toEqual(told("google_web_search", { id, query: "a" }));
  expect(calls.end(ok(id))).toEqual([ok(id)]);
  expect(calls.next(true)).toMatchObject([told("x"), { ok: false }]);
  expect(calls.unrecorded.map(({ tool, after }) => [tool, after])).toEqual([
    ...missing.map((tool) => [tool, 0]),
    ["x", 1],
  ]);
});

test("one that the API names is that one, also among names that end alike", () => {
  const calls = wanting(
    { ...called("nope"), id: "1" },
    { ...called("web_fetch"), id: "" },
    { ...called("a"), id: "11" },
  );
  expect(calls.begin("a__11").at(-1)).toEqual(told("a", { id: "a__11" }));
  expect(calls.unrecorded.map(({ tool }) => tool)).toEqual(["nope", "web_fetch"]);
});

test("what the model wanted in a turn that broke off is not told", () => {
  const calls = wanting(called("nope"));
  expect(calls.next(false)).toEqual([]);
  expect([calls.next(true), calls.unrecorded]).toEqual([[], []]);
});

test("each of two calls of one name is told", () => {
  const calls = wanting(called("read_file"), called("read_file"));
  const failed = { type: "tool-result", id: "read_file-1795400613140", ok: false, message: "denied" } as const;
  expect([...calls.end(failed), ...calls.end(failed)]).toEqual([told("read_file"), failed, told("read_file"), failed]);
});
