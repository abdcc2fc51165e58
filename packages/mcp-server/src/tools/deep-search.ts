import { MIN_ROUNDS } from "../host/settings.js";
import { type Outgoing, outgoing } from "../report/outgoing.js";
import type { Answer } from "./answer.js";
import { askedFor } from "./asked.js";
import { deepSearchDefinition } from "./definitions/index.js";
import { toRequest } from "./question.js";
import { toResult } from "./result.js";
import type { Tool } from "./tool.js";

export const deepSearch: Tool = {
  definition: deepSearchDefinition,
  async call(input, call) {
    const { max_iterations: asked } = input;
    if (typeof asked === "number" && asked > call.maxRounds) throw tooMany(call.maxRounds);
    const tooFew = typeof asked === "number" && asked < MIN_ROUNDS;
    const request = await toRequest(tooFew ? { ...input, max_iterations: MIN_ROUNDS } : input, call);
    const answer = await askedFor("deep_search", request, { input, call });
    return toResult(tooFew ? warned(answer, `max_iterations ${asked} counts as ${MIN_ROUNDS}.`) : answer, call.limits);
  },
};

function tooMany(maxRounds: number): Error {
  const message = `max_iterations must be at most ${maxRounds}; DEEP_SEARCH_MAX_ITERATIONS of the server may raise it.`;
  return Object.assign(new Error(message), { code: "INVALID_INPUT" });
}

/** The answer with one more of the warnings that a report may have. */
function warned(answer: Outgoing<Answer>, warning: string): Outgoing<Answer> {
  if (!answer.success) return answer;
  const { warnings = [], ...metadata } = answer["metadata"] as { warnings?: string[] };
  return { ...answer, metadata: { ...metadata, warnings: [...warnings, outgoing(warning)] } };
}
