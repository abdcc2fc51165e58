import type { CallEnd } from "../jobs/wait.js";

/** "SdkError: Request timed out", "McpError: MCP error -32001: …", "request timeout", "limit of 60000 ms exceeded". */
const TIMED_OUT = /timed[ -]?out|time[ -]?out|-32001|exceeded|deadline/i;

/** How a call ended, from the reason that its client gave with the cancellation. */
export function callEndOf(reason: unknown): CallEnd {
  return typeof reason === "string" && TIMED_OUT.test(reason) ? "timed-out" : "cancelled";
}
