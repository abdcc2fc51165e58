import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
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

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"x","result":{}}', '{"jsonrpc":"2.0","id":1,"method":"x"}'],
  ['{"jsonrpc":"2.0","id":1,"method":"x","error":null}', '{"jsonrpc":"2.0","id":1,"method":"x"}'],
  ['{"jsonrpc":"2.0","method":"x","error":{"code":1},"more":1}', '{"jsonrpc":"2.0","method":"x"}'],
  ['{"jsonrpc":"2.0","id":1,"result":{},"error":null,"params":{}}', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  [
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}',
  ],
])("of %s only what belongs to such a message is handed on", async (line, message) => {
  const read = await readLine(line);
  expect(read).toEqual({ messages: [JSON.parse(message)], invalid: [], answer: undefined });
  expect(JSONRPCMessageSchema.safeParse(read.messages[0]).success).toBe(true);
});

test.each([
  '{"jsonrpc":"2.0","id":null,"method":"x"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"x"}',
  '{"jsonrpc":"2.0","id":{},"method":"x"}',
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"x"}',
  '{"jsonrpc":"2.0","method":1}',
  "{}",
  "7",
])("%s is refused, although it has no id", async (line) => {
  const message = "Invalid request: not a JSON-RPC message";
  const { answer, messages } = await readLine(line);
  expect(answer).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } });
  expect(messages).toEqual([]);
});

test.each([
  ["a word", -32_700, "a line that is not JSON"],
  ['{"jsonrpc":"2.0","id":1,"method":"x"', -32_700, "a line that is not JSON"],
  [`"${"x".repeat(11_000_000)}"`, -32_600, "a line of more than 10485760 bytes"],
])("a line that cannot be read at all is refused, and the next is read", async (line, code, problem) => {
  const next = '{"jsonrpc":"2.0","id":2,"method":"x"}';
  const { answer, messages, invalid } = await readLine(`${line}\n${next}`);
  expect(answer).toEqual({ jsonrpc: "2.0", id: null, error: { code, message: `Invalid request: ${problem}` } });
  expect(invalid).toEqual([problem]);
  expect(messages).toEqual([JSON.parse(next)]);
});

test.each([
  '{"jsonrpc":"2.0","method":"x","params":[]}',
  '{"jsonrpc":"1.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1.5,"error":{"code":1,"message":"m"}}',
])("nobody waits to hear what is wrong with %s", async (line) => {
  const { messages, answer, invalid } = await readLine(line);
  expect({ messages, answer }).toEqual({ messages: [], answer: undefined });
  expect(invalid).toHaveLength(1);
});
