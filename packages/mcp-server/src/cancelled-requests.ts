import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

/** The code that JSON-RPC over streams has for it elsewhere (the Language Server Protocol); MCP names none. */
const REQUEST_CANCELLED = -32_800;

/**
 * Lets a request over HTTP end when its client cancels it. The SDK gives a cancelled request no response, and its
 * transport ends a request's stream with the response alone: the stream and its connection would stay until the client
 * leaves. What comes here instead is a response that clients ignore, as the specification asks of them.
 */
export function endCancelled(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    onmessage?.(message, extra);
    const id = cancelledIn(message);
    if (id === undefined) return;
    const error = { code: REQUEST_CANCELLED, message: "Request cancelled" };
    // It was answered before, or its stream is gone.
    transport.send({ jsonrpc: "2.0", id, error }).catch(() => {});
  };
}

function cancelledIn(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
