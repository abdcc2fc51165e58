/** Who says a message, and whether it is one that may hold the answer. */

/** Never the answer: what was asked, what went wrong, and what was thought before. */
export const NOT_THE_ANSWER =
  /^(?:prompt|query|question|request|instructions?|system|error|errors|example|examples|schema|template|thoughts?|thinking|reasoning|reasoning_content|draft|drafts|previous|input_text|user)$/i;
/** Words of keys under which stands what was given, what is wanted, or what does not hold: `user_message`, `exampleOutput`. */
const NONE_BY_A_WORD = new Set([
  ...["prompt", "query", "question", "request", "instruction", "instructions", "system", "user", "input", "inputs"],
  ...["error", "errors", "warning", "warnings", "issue", "issues", "stderr", "required", "expected", "no", "not"],
  ...["example", "examples", "sample", "schema", "template", "placeholder", "format", "fallback", "default", "mock"],
  ...["thought", "thoughts", "thinking", "reasoning", "draft", "drafts", "previous", "old", "before", "original"],
]);
/** Keys under which stands who says a message. */
const SPEAKERS = ["role", "from", "sender", "author", "speaker"];
const THE_MODEL = /^(?:assistant|model|ai|gpt|bot|chat_?bot|chatgpt|agent|llm|claude|gemini)$/i;
const NOT_THE_MODEL = /^(?:user|human|person|customer|client|system|developer|tool|function|observation)$/i;
/** Types of messages that say who says them, or that they are thoughts. */
const TYPES =
  /^(?:(?:user|human|person|customer|client|system|developer|tool|observation)(?:[._-]?(?:message|input|turn|prompt))?|thinking|thoughts?|reasoning|analysis)$/i;
/** They speak behind a call of the model. */
const BEHIND_A_CALL = /^(?:user|human|person|customer|client|tool|function|observation)$/i;

/** Whether a message is none of the model: the person's, the system's, a tool's, or a thought. */
export function notTheModel(message: Record<string, unknown>): boolean {
  const { type } = message;
  return (typeof type === "string" && TYPES.test(type)) || isSaidBy(message, NOT_THE_MODEL);
}

/** Whether a message, behind a call of the model, is a tool's or the person's. */
export function answersTheModel(message: Record<string, unknown>): boolean {
  const { type } = message;
  return (
    (typeof type === "string" && type !== "function" && BEHIND_A_CALL.test(type)) || isSaidBy(message, BEHIND_A_CALL)
  );
}

/** Whether words of a key say that what stands under it is not the answer. */
export function isNoneByAWord(words: readonly string[]): boolean {
  return words.some((word) => NONE_BY_A_WORD.has(word));
}

/** Whether a speaker is known not to be the model. */
export function isAnother(speaker: string): boolean {
  return NOT_THE_MODEL.test(speaker);
}

/** Whether a word of a key says that under it stands who says a message. */
export function isSpeaker(word: string): boolean {
  return SPEAKERS.includes(word);
}

/** Whether a speaker is the model. */
export function isTheModel(speaker: unknown): boolean {
  return THE_MODEL.test(nameOf(speaker));
}

function isSaidBy(message: Record<string, unknown>, who: RegExp): boolean {
  return SPEAKERS.some((key) => who.test(nameOf(message[key])));
}

/** A name, also as `{"role": "user"}`. */
function nameOf(speaker: unknown): string {
  if (typeof speaker === "object" && speaker !== null && "role" in speaker) return nameOf(speaker.role);
  return typeof speaker === "string" ? speaker.slice(0, MAX_NAME) : "";
}

/** No role has a longer name. */
const MAX_NAME = 40;

/** Whether a part of a message is a thought. */
export function isThought(part: unknown): boolean {
  return typeof part === "object" && part !== null && "thought" in part && part.thought === true;
}
