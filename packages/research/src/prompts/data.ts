import { builtInPrompts } from "./built-in.js";
import { type Prompts, renderPrompt } from "./render.js";

/** The section of a prompt that asks for data of a shape; `schema`: its JSON Schema as text. */
export function dataPrompt(
  { data = builtInPrompts.data }: Pick<Prompts, "data">,
  schema: string,
  boundary: string,
): string {
  return renderPrompt(data, { schema, boundary }).trim();
}
