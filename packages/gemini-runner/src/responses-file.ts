import { readFile } from "node:fs/promises";
import { toList, toRecord, toText } from "./loose.js";

/** What the file that `--record-responses` fills tells and the CLI says nowhere else. */
export interface Responses {
  /** The model's last turn, whole. None: it was never asked. */
  last?: LastTurn;
  /** Addresses that Google could not read, although the CLI calls reading them a success. */
  unread: ReadonlySet<string>;
  /** Addresses that Google named as sources of a search. */
  grounds: ReadonlySet<string>;
}

export interface LastTurn {
  text: string;
  /** Why the model stopped: `STOP`, `MAX_TOKENS` … */
  finishReason?: string;
}

export async function readResponses(file: string): Promise<Responses> {
  const unread = new Set<string>();
  const grounds = new Set<string>();
  let last: LastTurn | undefined;
  for (const line of (await readFile(file, "utf8").catch(() => "")).split("\n")) {
    const { method, response } = toRecord(parsed(line));
    if (method === "generateContentStream") last = toTurn(toList(response));
    if (method !== "generateContent") continue;
    const candidate = candidateOf(response);
    addUnread(unread, candidate);
    for (const uri of groundsOf(candidate)) grounds.add(uri);
  }
  return { ...(last === undefined ? {} : { last }), unread, grounds };
}

/** An address in the form in which two spellings of it are the same. */
export function toHref(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A line that was not finished, or empty.
    return undefined;
  }
}

function toTurn(chunks: readonly unknown[]): LastTurn {
  const turn: LastTurn = { text: "" };
  for (const chunk of chunks) {
    const { content, finishReason } = candidateOf(chunk);
    if (typeof finishReason === "string") turn.finishReason = finishReason;
    for (const part of toList(toRecord(content)["parts"])) {
      const { text, thought } = toRecord(part);
      if (thought !== true) turn.text += toText(text) ?? "";
    }
  }
  return turn;
}

function addUnread(unread: Set<string>, { urlContextMetadata }: Record<string, unknown>): void {
  for (const metadata of toList(toRecord(urlContextMetadata)["urlMetadata"])) {
    const { retrievedUrl, urlRetrievalStatus } = toRecord(metadata);
    const read = toText(urlRetrievalStatus)?.endsWith("SUCCESS") ?? true;
    const href = toHref(toText(retrievedUrl) ?? "");
    if (read) unread.delete(href);
    else unread.add(href);
  }
}

function groundsOf({ groundingMetadata }: Record<string, unknown>): string[] {
  const chunks = toList(toRecord(groundingMetadata)["groundingChunks"]);
  return chunks.map((chunk) => toText(toRecord(toRecord(chunk)["web"])["uri"]) ?? "");
}

function candidateOf(response: unknown): Record<string, unknown> {
  return toRecord(toList(toRecord(response)["candidates"])[0]);
}
