import { Hono } from "hono";
import { z } from "zod";
import { describeIssues, extractJson } from "../../src/index.js";

const Order = z.object({ id: z.number(), note: z.string() });

export const app = new Hono();

app.post("/orders", async (context) => {
  const result = extractJson(await context.req.text(), { schema: Order, maxLength: 1_000_000 });
  if (!result.ok) return context.json({ error: describeIssues(result.error) }, 400);
  const sure = result.complete && result.repairs.every((repair) => repair.sure);
  return context.json({ order: result.value, sure }, sure ? 200 : 202);
});
