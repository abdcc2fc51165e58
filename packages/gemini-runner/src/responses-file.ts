import { readFile } from "node:fs/promises";
import { toRecord, toText } from "./stream-json.js";

/**
 * Why the model stopped in its last main turn (`STOP`, `MAX_TOKENS`), from the file that `--record-responses` fills.
 * The CLI says it nowhere else: an answer that was cut off at the limit looks like any other.
 */
export async function lastFinishReason(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return undefined;
  }
  return finishReason(text);
}

export function finishReason(text: string): string | undefined {
  const last = text
    .trimEnd()
    .split("\n")
    .findLast((line) => line.startsWith('{"method":"generateContentStream"'));
  if (last === undefined) return undefined;
  try {
    const chunks = toRecord(JSON.parse(last))["response"];
    for (const chunk of Array.isArray(chunks) ? chunks.toReversed() : []) {
      const candidates = toRecord(chunk)["candidates"];
      const reason = toText(toRecord(Array.isArray(candidates) ? candidates[0] : undefined)["finishReason"]);
      if (reason !== undefined) return reason;
    }
  } catch {
    // Not finished: no reason is known.
  }
  return undefined;
}
