import { expect, test } from "vitest";
import { RunnerError } from "../../src/errors/runner-error.js";
import { Deadlines } from "../../src/process/deadlines.js";

const late = () => new RunnerError("EXECUTION_ERROR", "late");

/** What was noted until the first deadline passed, which is the last of it. */
function notedUntilPassed(arrange: (deadlines: Deadlines, note: (what: string) => void) => void): Promise<string[]> {
  return new Promise((resolve) => {
    const noted: string[] = [];
    const deadlines = new Deadlines(({ name }) => resolve([...noted, name]), 10);
    arrange(deadlines, (what) => noted.push(what));
  });
}

/** Nothing of this process runs meanwhile: neither its timers nor what reads the answers of others. */
function suspended(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("a deadline does not pass while the process is suspended", async () => {
  const noted = await notedUntilPassed((deadlines, note) => {
    deadlines.set("run", 60, late);
    suspended(300);
    // Timers that are due come first, then what came in meanwhile.
    setImmediate(() => setImmediate(() => note("answer")));
  });
  expect(noted).toEqual(["answer", "run"]);
});

test("a deadline that was dropped between two steps does not pass", async () => {
  const noted = await notedUntilPassed((deadlines) => {
    deadlines.set("dropped", 40, late);
    deadlines.set("step", 15, late);
    deadlines.set("last", 60, late);
    deadlines.drop("step");
    setTimeout(() => deadlines.drop("dropped"), 20);
  });
  expect(noted).toEqual(["last"]);
});
