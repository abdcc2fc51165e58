import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { BodyRoom, messagesIn } from "../../src/transports/http-body.js";

const KIB = 1_024;
const ping = (bytes: number) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(bytes) } });

/** A request whose body comes as the test writes it. */
function coming(room: BodyRoom) {
  const body = new PassThrough({ highWaterMark: 4 * 1_024 * KIB });
  return { body, messages: messagesIn(body as unknown as IncomingMessage, room) };
}

test("large bodies that come at once have so much room together, and small ones always have some", async () => {
  const room = new BodyRoom(1_000 * KIB);
  const slow = coming(room);
  slow.body.write(`{"x":"${"x".repeat(900 * KIB)}`);
  const whole = async (bytes: number) => {
    const { body, messages } = coming(room);
    body.end(ping(bytes));
    return messages;
  };
  await expect.poll(() => whole(500 * KIB)).toMatchObject({ status: 503, unread: true });
  expect(await whole(50 * KIB)).toHaveLength(1);
  // Whoever is gone takes none.
  slow.body.destroy();
  await expect(slow.messages).rejects.toThrow();
  expect(await whole(900 * KIB)).toHaveLength(1);
  expect(await whole(900 * KIB)).toHaveLength(1);
});
