import { resultOf } from "@x/gemini-runner";
import { builtInPrompts, deepSearch, type ResearchDeps, search } from "@x/research";
import * as fc from "fast-check";
import { mutated, words } from "./hostile.js";
import { mustEndWell } from "./research-end.js";
import { scriptedRunner } from "./scripted-runner.js";
import { mustBeUnpolluted, type Target } from "./target.js";

/** What a model is asked for. */
export const ANSWER = {
  success: true,
  verified: false,
  report: "# Tides\n\nSixteen metres [1].\n\n[1] https://example.org/tides",
  claims: [{ text: "Sixteen metres", sources: ["https://example.org/tides"], status: "supported" }],
  gaps: ["Low tides"],
  metadata: { sources_visited: ["https://example.org/tides"], search_queries_used: ["tides"] },
};

/** Ways to write JSON that is not quite JSON. */
const SPOILED: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nAsk me more.`,
  (json) => json.replaceAll('"', "'"),
  (json) => json.replaceAll('"', "“"),
  (json) => json.replaceAll(/"(\w+)":/g, "$1:"),
  (json) => json.replaceAll("}", ",}"),
  (json) => json.replaceAll(",", ""),
  (json) => json.replaceAll("\\n", "\n"),
  (json) => json.replaceAll("true", "True").replaceAll("null", "None"),
  (json) => JSON.stringify(json),
  (json) => `${json}${json}`,
  (json) => json.replaceAll(":", "://"),
];

const answer = fc
  .tuple(mutated(ANSWER), fc.constantFrom(...SPOILED), words, words, fc.option(fc.nat(5_000)))
  .map(([value, spoil, before, after, cut]) =>
    `${before}${spoil(JSON.stringify(value) ?? "")}${after}`.slice(0, cut ?? undefined),
  );

export const modelAnswers: Target = {
  name: "the model's answers",
  about:
    "Texts that are nearly the asked JSON: a report of the promised shape, or the error that says all attempts were exhausted.",
  async open() {
    return {
      property: fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (texts) => {
        let next = 0;
        const runner = scriptedRunner(() => texts[next++ % texts.length] ?? "");
        const deps: ResearchDeps = { runner, prompts: builtInPrompts, attempts: 2, delaysMs: [0] };
        await mustEndWell(resultOf(search({ query: "tides" }, deps), () => {}));
        await mustEndWell(resultOf(deepSearch({ query: "tides", maxRounds: 3 }, deps), () => {}));
        mustBeUnpolluted();
      }),
      async close() {},
    };
  },
};
