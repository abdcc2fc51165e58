/** Who says a message, and whether it is one that may hold the answer. */

/** Never the answer: what was asked, what went wrong, and what was thought before. */
export const NOT_THE_ANSWER =
  /^(?:prompt|query|question|request|instructions?|system|error|errors|example|examples|schema|template|thoughts?|thinking|reasoning|reasoning_content|draft|drafts|previous|input_text|user)$/i;
const NOT_THE_MODEL = /^(?:user|human|system|developer|tool|function)$/;
/** They speak behind a call of the model. */
const BEHIND_A_CALL = /^(?:user|human|tool|function)$/;

/** Whether a message is none of the model: the person's, the system's, a tool's, or a thought. */
export function notTheModel(node: Record<string, unknown>): boolean {
  const { role, type } = node;
  return (typeof role === "string" && NOT_THE_MODEL.test(role)) || type === "user" || type === "thinking";
}

/** Whether a message, behind a call of the model, is a tool's or the person's. */
export function answersTheModel({ role, type }: Record<string, unknown>): boolean {
  return (typeof role === "string" && BEHIND_A_CALL.test(role)) || type === "user";
}

/** Whether a part of a message is a thought. */
export function isThought(part: unknown): boolean {
  return typeof part === "object" && part !== null && "thought" in part && part.thought === true;
}
