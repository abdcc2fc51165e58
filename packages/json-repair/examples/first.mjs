import { extractJson } from "@x/json-repair";
import { z } from "zod";

const answer = `<think>They want {"title", "year"}.</think>
Here is the film you asked for:

\`\`\`json
{
  "title: "La dolce vita",
  "year": "1960",
  "note": "called "The Sweet Life" in English",
}
\`\`\`
Let me know if {anything} is missing!`;

const Film = z.object({ title: z.string(), year: z.number(), note: z.string() });
const result = extractJson(answer, { schema: Film });

if (result.ok) {
  console.log(result.value);
  for (const { line, kind, sure } of result.repairs) console.log(`line ${line}: ${kind}${sure ? "" : "?"}`);
} else {
  console.log(result.error.message);
}
