import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { parseJson } from "../../src/index.js";

/** The same shape three times: any Standard Schema works, and types the value. */
export const fromZod = (text: string) => parseJson(text, { schema: z.object({ title: z.string(), year: z.number() }) });
export const fromValibot = (text: string) =>
  parseJson(text, { schema: v.object({ title: v.string(), year: v.number() }) });
export const fromArktype = (text: string) => parseJson(text, { schema: type({ title: "string", year: "number" }) });
