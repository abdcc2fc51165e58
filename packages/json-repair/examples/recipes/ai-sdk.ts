import { generateObject, type LanguageModel } from "ai";
import { z } from "zod";
import { extractJson } from "../../src/index.js";

const Film = z.object({ title: z.string(), year: z.number() });

/** The AI SDK asks for it when a model's text is no JSON, or does not fit. */
export async function film(model: LanguageModel) {
  const { object } = await generateObject({
    model,
    schema: Film,
    prompt: "A film by Fellini.",
    experimental_repairText: async ({ text }) => {
      const result = extractJson(text, { schema: Film });
      return result.ok ? JSON.stringify(result.value) : null;
    },
  });
  return object;
}
