import type { ClientLimits } from "../clients/client-limits.js";
import { type Outgoing, outgoingJson } from "../report/outgoing.js";
import type { Answer } from "./answer.js";

export interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [key: string]: unknown;
}

/**
 * The answer as structure, and as a text that says the same: some hosts show their model only the one, some only the
 * other. A client that shows both, or knows no structure, gets the JSON object as its text alone. The structure fits the
 * tool's output schema also when the call failed, since clients check that.
 */
export function toResult(answer: Outgoing<Answer>, { structured }: Pick<ClientLimits, "structured">): ToolResult {
  if (!structured) return textResult(answer);
  const text = answer.success ? markdownOf(answer) : jsonOf(answer);
  return { ...resultWith(text, answer), structuredContent: answer };
}

/** The JSON object as text alone. */
export function textResult(answer: Outgoing<Answer>): ToolResult {
  return resultWith(jsonOf(answer), answer);
}

function resultWith(text: string, { success }: Answer): ToolResult {
  return { content: [{ type: "text", text }], ...(success ? {} : { isError: true }) };
}

function jsonOf(answer: Answer): string {
  return outgoingJson(answer, 2);
}

/**
 * Markdown that a model can use as it stands, and below it, in one line of JSON, the rest of the answer. Of a page the
 * rest stands above: a host may cut the end.
 */
function markdownOf({ result, ...rest }: Answer): string {
  const json = outgoingJson(rest);
  const isPage = (rest["metadata"] as { page?: unknown } | undefined)?.page !== undefined;
  return isPage ? `${json}\n\n${String(result)}` : `${String(result)}\n\n${json}`;
}
