/** JSON-RPC as a client should not write it, and as it might. */
import * as fc from "fast-check";
import { mutated, trap, value, words } from "./hostile.js";

export const TOOL_NAMES = ["search", "deep_search", "deep_research", "research_result", "research_cancel"] as const;

const REQUESTS = [
  {
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
  },
  { method: "ping" },
  { method: "tools/list", params: {} },
  { method: "tools/call", params: { name: "search", arguments: { query: "tides" }, _meta: { progressToken: 0 } } },
  { method: "tools/call", params: { name: "deep_search", arguments: { query: "tides", max_iterations: 2 } } },
  { method: "tools/call", params: { name: "deep_research", arguments: { topic: "tides", depth: "concise" } } },
  {
    method: "tools/call",
    params: { name: "research_result", arguments: { job_id: "search-0000000000", wait_seconds: 0, page: 1 } },
  },
  { method: "tools/call", params: { name: "research_cancel", arguments: { job_id: "search-0000000000" } } },
  { method: "resources/list" },
  { method: "resources/templates/list" },
  { method: "resources/read", params: { uri: "report://search-0000000000" } },
  { method: "prompts/list" },
  { method: "prompts/get", params: { name: "research", arguments: { question: "tides" } } },
  { method: "logging/setLevel", params: { level: "debug" } },
  { method: "completion/complete", params: {} },
  { method: "server/discover" },
] as const;

/** Requests with an id that only they have: each must be answered. */
export const request = fc.tuple(fc.uuid(), fc.constantFrom(...REQUESTS).chain(mutated)).map(([id, message]) => {
  const { method = "ping", params } = { ...(message as { method?: unknown; params?: unknown } | null) };
  return { jsonrpc: "2.0", id, method: typeof method === "string" ? method : "ping", params };
});

const notification = fc.record({
  jsonrpc: fc.constant("2.0"),
  method: fc.oneof(
    fc.constantFrom(
      "notifications/initialized",
      "notifications/cancelled",
      "notifications/progress",
      "notifications/roots/list_changed",
    ),
    words,
  ),
  params: fc.oneof(value, fc.record({ requestId: value, reason: value })),
});

const nested = fc
  .tuple(
    fc.constantFrom("[", '{"a":', '[{"jsonrpc":"2.0","id":1,"method":"ping","params":'),
    fc.integer({ min: 1, max: 50_000 }),
  )
  .map(([part, n]) => part.repeat(n));

const usual: fc.Arbitrary<string> = fc.oneof(
  words,
  trap,
  nested,
  value.map((each) => JSON.stringify(each)),
  notification.map((each) => JSON.stringify(each)),
  fc.array(request, { minLength: 1, maxLength: 3 }).map((batch) => JSON.stringify(batch)),
  fc
    .record({
      jsonrpc: fc.constantFrom("2.0", "1.0", 2),
      id: value,
      method: fc.oneof(value, fc.constant("ping")),
      params: value,
    })
    .map((each) => JSON.stringify(each)),
  fc
    .record({ jsonrpc: fc.constant("2.0"), id: fc.oneof(value, fc.integer()), result: value })
    .map((each) => JSON.stringify(each)),
  fc
    .record({ jsonrpc: fc.constant("2.0"), id: fc.oneof(value, fc.integer()), error: value })
    .map((each) => JSON.stringify(each)),
);

/** Lines that are no request at all; now and then one that is longer than any message may be. */
export const noise = fc.oneof(
  { weight: 50, arbitrary: usual },
  { weight: 1, arbitrary: fc.constant(11).map((mib) => `"${"x".repeat(mib * 1_024 * 1_024)}"`) },
);
