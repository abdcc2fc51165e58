import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

test("a port that is taken is told as `http` tells it, with what to do", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, out, err } = await place.run(["web", "--no-open", "--port", String(port)]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(
    `✗ Cannot listen on 127.0.0.1:${port}: another program listens there; choose another port (--port), 0 for any that is free\n`,
  );
});
