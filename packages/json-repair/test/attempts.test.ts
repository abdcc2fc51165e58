import { expect, test } from "vitest";
import { z } from "zod";
import { generateJson } from "../src/index.js";

const Shape = z.object({ report: z.string() });

test("waits 1 s, then 2 s, between three attempts", async () => {
  const slept: number[] = [];
  const texts = ["no", "no", '{"report":"x"}'];
  const value = await generateJson({
    schema: Shape,
    generate: async () => texts.shift() ?? "",
    sleep: async (ms) => void slept.push(ms),
  });
  expect(value).toEqual({ report: "x" });
  expect(slept).toEqual([1_000, 2_000]);
});
