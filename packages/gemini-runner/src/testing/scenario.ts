/** Who decides what the model says, and what it says when nobody does. */
import { type Answer, grounded, page, text } from "./answers.js";
import type { ModelCall } from "./model-call.js";

/** An answer, its steps in order (nested as they come), or steps as they become known. */
export type Reply = Answer | readonly Reply[] | AsyncIterable<Answer>;

/**
 * Decides what the model answers to one request. `undefined` leaves it to the default: the cheap model for a classifier,
 * no loop, the user's turn, a plain search result, a plain page, and for the agent's own turn a short text. An iterable
 * without a step is an answer without words. What it throws reaches the CLI as an error 400 with the message, which it
 * prints and does not try again.
 */
export type Scenario = (call: ModelCall) => Reply | undefined | Promise<Reply | undefined>;

export function defaultReply(call: ModelCall): Reply {
  switch (call.kind) {
    case "classifier":
      return text(
        JSON.stringify({
          reasoning: "Simple.",
          model_choice: "flash",
          complexity_reasoning: "Simple.",
          complexity_score: 10,
        }),
      );
    case "loop-check":
      return text(
        JSON.stringify({
          reasoning: "Progress.",
          confidence: 0,
          unproductive_state_analysis: "Progress.",
          unproductive_state_confidence: 0,
        }),
      );
    case "next-speaker":
      return text(JSON.stringify({ reasoning: "The answer is complete.", next_speaker: "user" }));
    case "search":
      return grounded(`What was found about ${call.query}.`, { queries: [call.query ?? ""] });
    case "fetch":
    case "fetch-fallback":
      return page(`What stands at ${call.urls.join(", ")}.`);
    default:
      return text("Answered by the local model server.");
  }
}

export async function* stepsOf(reply: Reply): AsyncGenerator<Answer, void, void> {
  if (Array.isArray(reply)) {
    for (const each of reply as readonly Reply[]) yield* stepsOf(each);
  } else if (Symbol.asyncIterator in reply) {
    yield* reply as AsyncIterable<Answer>;
  } else {
    yield reply as Answer;
  }
}
