import * as fc from "fast-check";
import { bytesOf, garbled } from "./hostile.js";
import { openLiveServer } from "./live-server.js";
import { noise, request } from "./messages.js";
import { must, type Target } from "./target.js";

/** One line in bytes, and the request that it is. */
interface Line {
  bytes: string;
  id?: string;
}

const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 3, arbitrary: request.map((message) => ({ bytes: bytesOf(JSON.stringify(message)), id: message.id })) },
  { weight: 2, arbitrary: noise.map((text) => ({ bytes: bytesOf(text) })) },
  { weight: 1, arbitrary: garbled(request.map((message) => JSON.stringify(message))).map((bytes) => ({ bytes })) },
);

export const protocolOnStdin: Target = {
  name: "JSON-RPC on stdin",
  about:
    "Lines of every kind, whole and in pieces: each request is answered once, the server goes on, stdout stays the protocol's.",
  async open() {
    const live = await openLiveServer();
    return {
      property: fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4_096 }),
        async (lines, pieceLength) => {
          const server = await live.current();
          live.heard.length = 0;
          for (const each of lines) {
            const bytes = Buffer.from(`${each.bytes}\n`, "latin1");
            // In pieces while that is a matter of few writes.
            const step = Math.max(pieceLength, Math.ceil(bytes.length / 64));
            for (let at = 0; at < bytes.length; at += step) server.write(bytes.subarray(at, at + step));
          }
          const asked = lines.flatMap(({ id }) => id ?? []);
          await live.request("ping");
          for (const until = performance.now() + 5_000; performance.now() < until; await live.request("ping")) {
            if (asked.every((id) => answersTo(id) > 0)) break;
          }
          for (const id of asked) must(answersTo(id) === 1, () => `request ${id} was answered ${answersTo(id)} times`);
          live.mustStand();

          function answersTo(id: string): number {
            return live.heard.filter((message) => "id" in message && message.id === id && !("method" in message))
              .length;
          }
        },
      ),
      close: () => live.close(),
    };
  },
};
