import { toList, toRecord, toText } from "../parse-record.js";

const START = /\{\s*"error"\s*:/;
/** One message may be the JSON of another answer. */
const MAX_NESTING = 3;

/** A text in which the JSON of an API's error is replaced by what it tells a reader. */
export function unwrapApiError(text: string): string {
  const from = text.search(START);
  const to = text.lastIndexOf("}") + 1;
  const message = from === -1 || to <= from ? undefined : apiErrorMessage(text.slice(from, to));
  const plain = message === undefined ? text : text.slice(0, from) + message + text.slice(to);
  return plain.replace(/^\[API Error: (.*?)\](?=\r?\n|$)/s, "$1");
}

/** `undefined`: it is none, or has no message. */
function apiErrorMessage(json: string): string | undefined {
  let message: string | undefined;
  for (let text: string | undefined = json, depth = 0; text !== undefined && depth < MAX_NESTING; depth++) {
    text = ownMessage(toRecord(parsed(text))["error"]);
    message = text ?? message;
  }
  return message;
}

/** The message, and what a reader can act on of its details where the message does not say it. */
function ownMessage(error: unknown): string | undefined {
  const { message, details } = toRecord(error);
  const own = toText(message)?.trim();
  if (own === undefined || own === "") return undefined;
  const further = toList(details)
    .flatMap((detail) => {
      const { metadata, links, fieldViolations } = toRecord(detail);
      return [
        toRecord(metadata)["activationUrl"],
        ...toList(links).map((link) => toRecord(link)["url"]),
        ...toList(fieldViolations).map((violation) => toRecord(violation)["description"]),
      ];
    })
    .filter((text) => typeof text === "string" && !own.includes(text));
  return [own, ...new Set(further)].join(" ");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
