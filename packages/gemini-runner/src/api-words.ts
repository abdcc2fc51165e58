import { toRecord } from "./loose.js";

const START = '{"error":';
/** One message may be the JSON of another answer. */
const DEEPEST = 3;

/** A text in which the JSON of an API's error is replaced by the message it holds: the rest says nothing to a reader. */
export function withApiWords(text: string): string {
  const from = text.indexOf(START);
  const to = text.lastIndexOf("}") + 1;
  const said = from === -1 || to <= from ? undefined : messageIn(text.slice(from, to));
  const plain = said === undefined ? text : text.slice(0, from) + said + text.slice(to);
  return plain.replace(/^\[API Error: (.*)\]$/, "$1");
}

function messageIn(json: string): string | undefined {
  let said: string | undefined;
  for (let text = json, depth = 0; depth < DEEPEST; depth++) {
    const { message } = toRecord(toRecord(parsed(text))["error"]);
    if (typeof message !== "string") break;
    said = message.trim();
    text = said;
  }
  return said;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
