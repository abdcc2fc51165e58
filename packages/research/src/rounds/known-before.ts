import * as z from "zod";

/** What is told of a research that another one follows or renews, as plain data. */
export const KnownBeforeSchema = z.object({
  how: z.enum(["follow-up", "refresh"]),
  id: z.string(),
  query: z.string(),
  /** ISO 8601; empty when it is not known. */
  at: z.string(),
  report: z.string(),
  /** `line`: the claim with its proof, for a prompt. */
  claims: z.array(z.object({ text: z.string(), line: z.string() })),
});

export type KnownBefore = z.infer<typeof KnownBeforeSchema>;
