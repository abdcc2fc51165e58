// Asks one question: `node examples/ask.mjs "Why is the Dead Sea salty?"`. What happens goes to stderr, the answer to
// stdout.
import { createGeminiRunner, resultOf } from "@x/gemini-runner";

const question = process.argv.slice(2).join(" ");
if (question === "") {
  console.error('Usage: node examples/ask.mjs "a question"');
  process.exit(2);
}

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

const runner = createGeminiRunner({ timeoutMs: 120_000, onWarning: console.error });
try {
  const prompt = `${question}\n\nSearch the web, read the best pages and answer in one paragraph.`;
  const { text, sources, model, durationMs } = await resultOf(runner.run({ prompt, signal: stop.signal }), (event) => {
    if (event.type === "tool-call") console.error(event.query ? `searches: ${event.query}` : `reads: ${event.urls}`);
    if (event.type === "warning") console.error(`warning: ${event.message}`);
  });
  console.log(text);
  for (const { url, title = url } of sources) console.log(`- ${title}: ${url}`);
  console.error(`${model ?? "a model"}, ${(durationMs / 1_000).toFixed(1)} s`);
} catch (error) {
  console.error(`${error.code}: ${error.message}${error.nextStep ? `. ${error.nextStep}` : ""}`);
  process.exitCode = 1;
} finally {
  await runner.close();
}
