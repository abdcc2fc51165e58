import { readFile } from "node:fs/promises";
import { toList, toRecord, toText } from "./loose.js";

/** The model's last turn, as `--record-responses` wrote it down. */
export interface LastTurn {
  text: string;
  /** Why the model stopped: `STOP`, `MAX_TOKENS` … */
  finishReason?: string;
}

/**
 * Reads the model's last turn from the file that `--record-responses` fills. Two things the CLI says nowhere else: that
 * an answer was cut off at the limit, and where an answer begins that was given again after a broken one.
 * `undefined`: there is none.
 */
export async function readLastTurn(file: string): Promise<LastTurn | undefined> {
  try {
    return parseLastTurn(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}

function parseLastTurn(recorded: string): LastTurn | undefined {
  const line = recorded.split("\n").findLast((each) => each.startsWith('{"method":"generateContentStream"'));
  if (line === undefined) return undefined;
  const { response } = toRecord(JSON.parse(line));
  const turn: LastTurn = { text: "" };
  for (const chunk of toList(response)) {
    const { content, finishReason } = toRecord(toList(toRecord(chunk)["candidates"])[0]);
    turn.finishReason = toText(finishReason) ?? turn.finishReason ?? "";
    for (const part of toList(toRecord(content)["parts"])) {
      const { text, thought } = toRecord(part);
      if (thought !== true) turn.text += toText(text) ?? "";
    }
  }
  return turn;
}
