/** Messages of JSON-RPC that are not as they should be. */
import { must } from "../../fuzz/target.js";
import { messagesOf } from "../exchange.js";
import type { Abuse, Group } from "../ground.js";
import { counted, many } from "./expect.js";

export const MESSAGES: Group = {
  name: "Messages of JSON-RPC",
  abuses: [
    batch("batch of two", 2, "2025-06-18"),
    batch("batch of 10,000", 10_000, "2025-06-18"),
    batch("batch of an older client", 50, "2025-03-26"),
    {
      name: "one key too many",
      sent: "`ping` with a further key beside `id` and `method`",
      expected: "answered, to its id",
      withinMs: 5_000,
      async play({ open }) {
        const peer = await open();
        const { reply, answer } = await peer.request("ping", {}, { extra: { extra: 1, __meta: { a: 1 } } });
        must(answer !== undefined, () => `no answer to its id: ${reply.status} ${reply.text.slice(0, 120)}`);
        return answer?.["error"] === undefined ? "answered" : "an error";
      },
    },
    {
      name: "ids that are none",
      sent: "an object, a list, 1 MB of text as `id`",
      expected: "answered, or an error",
      withinMs: 5_000,
      async play({ open }) {
        const peer = await open();
        const statuses: number[] = [];
        for (const id of [{}, [], "i".repeat(1_000_000), 1.5, null]) {
          const { reply } = await peer.request("ping", {}, { id });
          must([200, 202, 400, 413].includes(reply.status), () => `${reply.status} ${reply.text.slice(0, 120)}`);
          statuses.push(reply.status);
        }
        return counted(statuses);
      },
    },
  ],
};

/** The revisions since 2025-06-18 have no batches; one before may have them. */
function batch(name: string, size: number, version: string): Abuse {
  const allowed = version < "2025-06-18";
  return {
    name,
    sent: `${size.toLocaleString("en")} times \`ping\` in one body, revision ${version}`,
    expected: allowed ? "each answered, or an error" : "an error",
    withinMs: 10_000,
    async play({ open }) {
      const peer = await open({ version });
      const pings = many(size, (id) => ({ jsonrpc: "2.0", id: `b${id}`, method: "ping" }));
      const reply = await peer.send(pings);
      const messages = messagesOf(reply).flatMap((message) =>
        Array.isArray(message) ? (message as object[]) : [message],
      );
      must(reply.status < 500, () => `answered ${reply.status}`);
      if (messages.some((message) => "error" in message)) return `${reply.status} with an error`;
      must(allowed && messages.length === size, () => `${reply.status} with ${messages.length} answers`);
      return `${messages.length} answers`;
    },
  };
}
