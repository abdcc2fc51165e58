import express, { type Express } from "express";
import { z } from "zod";
import { describeIssues, extractJson } from "../../src/index.js";

const Order = z.object({ id: z.number(), note: z.string() });

export const app: Express = express();
app.use(express.text({ type: "*/*", limit: "1mb" }));

/** A sender that writes broken JSON; what was not sure is not taken for money. */
app.post("/orders", ({ body }, response) => {
  const result = extractJson(String(body), { schema: Order, maxLength: 1_000_000 });
  if (!result.ok) return void response.status(400).json({ error: describeIssues(result.error) });
  const sure = result.complete && result.repairs.every((repair) => repair.sure);
  response.status(sure ? 200 : 202).json({ order: result.value, sure });
});
