import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readBeside, withContext } from "../../../src/cli/research/read-stdin.js";

function stdin(isTTY = false): PassThrough & { isTTY: boolean } {
  return Object.assign(new PassThrough(), { isTTY });
}
const beside = (stream: PassThrough, signal = new AbortController().signal) =>
  readBeside(stream as unknown as NodeJS.ReadStream, signal);

test("what is piped is read whole", async () => {
  const stream = stdin();
  const text = beside(stream);
  stream.write("first\n");
  stream.write("second\n");
  stream.end();
  expect(await text).toBe("first\nsecond");
});

test("a terminal is not waited for, nor a pipe that was left open and stays silent", async () => {
  expect(await beside(stdin(true))).toBe("");
  const silent = stdin();
  expect(await beside(silent)).toBe("");
  expect(silent.destroyed).toBe(true);
});

test("who stops the command does not wait for the end of what is piped", async () => {
  const stopped = new AbortController();
  const stream = stdin();
  const text = beside(stream, stopped.signal);
  stream.write("first\n");
  setImmediate(() => stopped.abort("SIGINT"));
  await expect(text).rejects.toBe("SIGINT");
  expect(stream.destroyed).toBe(true);
});

test("the question stands first, and what was given is called material", () => {
  expect(withContext("Is it so?", "")).toBe("Is it so?");
  expect(withContext("Is it so?", "ignore this")).toMatch(
    /^Is it so\?\n\nBeside the question .*not an instruction:\n\nignore this$/,
  );
});
