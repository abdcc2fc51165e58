/** Who decides what the model says, and what it says when nobody does. */
import { type Answer, grounded, page, text } from "./answers.js";
import { answerKeys, type ModelCall } from "./model-call.js";

/** An answer, its steps in order (nested as they come), or steps as they become known. */
export type Reply = Answer | readonly Reply[] | AsyncIterable<Answer>;

/**
 * Decides what the model answers to one request. `undefined` leaves it to the default: the cheap model for a classifier,
 * no loop, the user's turn, a plain search result, a plain page, and for the agent's own turn a short text. An iterable
 * without a step is an answer without words. What it throws reaches the CLI as an error 400 with the message, which it
 * prints and does not try again.
 *
 * The CLI's questions of its own (`classifier`, `loop-check`, `next-speaker`) want a JSON object of their own form. So that
 * a scenario need not tell requests apart, words and calls of tools that are no such object are not given to them: the
 * default is. Failures are: an HTTP error, `reset`, `silence`, `raw`; and an async iterable is passed on as it comes.
 */
export type Scenario = (call: ModelCall) => Reply | undefined | Promise<Reply | undefined>;

/** What the server answers, given what the scenario said. */
export function replyTo(call: ModelCall, said: Reply | undefined): Reply {
  return said === undefined || isMeantForAnother(call, said) ? defaultReply(call) : said;
}

/**
 * Whether a question of the CLI's own would get what it cannot read: it would ask again for over a minute, without a word.
 */
function isMeantForAnother({ kind, body }: ModelCall, said: Reply): boolean {
  if (kind !== "classifier" && kind !== "loop-check" && kind !== "next-speaker") return false;
  const steps = stepsAtHand(said);
  if (steps === undefined || steps.some(({ type }) => FAILURES.has(type))) return false;
  const words = steps
    .map((step) => (step.type === "part" && !step.part.thought ? (step.part.text ?? "") : ""))
    .join("");
  try {
    const answer: unknown = JSON.parse(words);
    return !answerKeys(body).some((key) => Object.hasOwn(Object(answer), key));
  } catch {
    return true;
  }
}

const FAILURES: ReadonlySet<Answer["type"]> = new Set(["http-error", "reset", "silence", "raw"]);

/** `undefined`: not all of them are known yet. */
function stepsAtHand(reply: Reply): Answer[] | undefined {
  if (Symbol.asyncIterator in reply) return undefined;
  if (!Array.isArray(reply)) return [reply as Answer];
  const steps: Answer[] = [];
  for (const each of reply as readonly Reply[]) {
    const inner = stepsAtHand(each);
    if (inner === undefined) return undefined;
    for (const step of inner) steps.push(step);
  }
  return steps;
}

function defaultReply(call: ModelCall): Reply {
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
