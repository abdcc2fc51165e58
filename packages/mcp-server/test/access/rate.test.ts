import { expect, test } from "vitest";
import { Rate } from "../../src/access/rate.js";

test("so many calls of each tenant within any minute, and the error says when the next one may come", () => {
  const rate = new Rate();
  rate.take("a", 2, 0);
  rate.take("a", 2, 20_000);
  expect(() => rate.take("a", 2, 50_000)).toThrow(
    expect.objectContaining({
      ...{ code: "QUOTA_EXCEEDED", scope: "tenant", retryAfterMs: 10_000 },
      details: "The limit of this tenant: 2 calls a minute are allowed. Ask again in 10 s.",
    }),
  );
  rate.take("b", 2, 50_000);
  rate.take("a", 2, 60_000);
  expect(() => rate.take("a", 2, 70_000)).toThrow("Busy");
  for (let i = 0; i < 1_000; i++) rate.take("c", undefined, 0);
});
