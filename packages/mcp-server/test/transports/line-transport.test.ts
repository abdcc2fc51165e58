import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { LineTransport } from "../../src/transports/line-transport.js";

/** What a line is handed on as, answered with and named. */
async function readLine(line: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const messages: JSONRPCMessage[] = [];
  const invalid: string[] = [];
  const transport = new LineTransport(input, output, (reason) => invalid.push(reason));
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  input.end(`${line}\n`);
  await new Promise((resolve) => input.once("end", resolve));
  const answer = output.read() as Buffer | null;
  return { messages, invalid, answer: answer === null ? undefined : JSON.parse(answer.toString()) };
}

test("a slow reader is waited for, one that is gone is not", async () => {
  let taken = () => {};
  const output = new Writable({
    write(_chunk, _encoding, done) {
      taken = done;
    },
  });
  const transport = new LineTransport(new PassThrough(), output, () => {});
  const sent = Array.from({ length: 20 }, (_, id) =>
    transport.send({ jsonrpc: "2.0", id, result: { text: "x".repeat(20_000) } }),
  );
  expect(await Promise.race([...sent, turn("nothing was taken")])).toBe("nothing was taken");
  // Node warns of more than ten.
  expect(output.listenerCount("drain")).toBeLessThan(10);
  output.destroy();
  taken();
  await Promise.all(sent);
});

test.each([
  ["[]", "params must be an object"],
  ["7", "params must be an object"],
  ['{"_meta":[]}', "params._meta must be an object"],
  ['{"_meta":{"progressToken":{}}}', "params._meta.progressToken must be a text or a whole number"],
  ['{"_meta":{"progressToken":0.5}}', "params._meta.progressToken must be a text or a whole number"],
])("a request with the parameters %s is refused", async (params, problem) => {
  const { messages, invalid, answer } = await readLine(`{"jsonrpc":"2.0","id":"a","method":"x","params":${params}}`);
  expect(answer).toEqual({ jsonrpc: "2.0", id: "a", error: { code: -32_600, message: `Invalid request: ${problem}` } });
  expect(invalid).toEqual([problem]);
  expect(messages).toEqual([]);
});

test.each(['{"id":1,"method":"x"}', '{"jsonrpc":"2.0","id":1,"method":7}', '{"jsonrpc":"1.0","id":1,"method":"x"}'])(
  "%s is refused",
  async (line) => {
    const message = "Invalid request: not a JSON-RPC message";
    expect((await readLine(line)).answer).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32_600, message } });
  },
);

test.each([
  '{"jsonrpc":"2.0","id":0,"method":"x"}',
  '{"jsonrpc":"2.0","id":"a","method":"x","params":{"_meta":{"progressToken":0}}}',
  '{"jsonrpc":"2.0","method":"x","params":{"a":[]}}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
])("%s is handed on", async (line) => {
  expect(await readLine(line)).toEqual({ messages: [JSON.parse(line)], invalid: [], answer: undefined });
});

test("a notification that cannot be read is dropped", async () => {
  const { messages, answer } = await readLine('{"jsonrpc":"2.0","method":"x","params":[]}');
  expect({ messages, answer }).toEqual({ messages: [], answer: undefined });
});
