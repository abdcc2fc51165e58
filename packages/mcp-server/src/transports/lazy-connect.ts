import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { noteArrival } from "../protocol/arrival.js";
import { clientOf, greet } from "../protocol/handshake.js";

const INTERNAL_ERROR = -32_603;

/**
 * Speaks to a client from the first moment and loads the server when there is something for it to do. The server then
 * hears the client's `initialize` again, and its answer, which the client already has, is dropped.
 *
 * @param shown Names of the tools that the client may see. Default: all.
 */
export function connectLate(
  client: Transport,
  load: () => Promise<{ connect(transport: Transport): Promise<void> }>,
  shown?: readonly string[],
) {
  let initialize: JSONRPCRequest | undefined;
  let initialized: JSONRPCMessage | undefined;
  let waiting: JSONRPCMessage[] | undefined;

  client.onmessage = (message) => {
    noteArrival(message);
    if (waiting !== undefined) {
      waiting.push(message);
      return;
    }
    const answer = isRequest(message) ? greet(message, clientOf(initialize), shown) : undefined;
    if (isRequest(message) && answer !== undefined) {
      if (message.method === "initialize") initialize = message;
      void client.send({ jsonrpc: "2.0", id: message.id, ...answer } as JSONRPCMessage);
    } else if (isRequest(message)) {
      waiting = [message];
      handOver(waiting).catch((error: Error) => refuse(waiting ?? [], error));
    } else if ("method" in message && message.method === "notifications/initialized") {
      initialized = message;
    }
    // Any other notification is about a request that was answered already.
  };

  async function handOver(messages: JSONRPCMessage[]): Promise<void> {
    let droppedId = initialize?.id;
    const transport: Transport = {
      start: async () => {},
      close: () => client.close(),
      send: async (message) => {
        if (droppedId !== undefined && "id" in message && message.id === droppedId && !("method" in message)) {
          droppedId = undefined;
        } else {
          await client.send(message);
        }
      },
    };
    const server = await load();
    await server.connect(transport);
    client.onclose = () => transport.onclose?.();
    client.onmessage = (message) => transport.onmessage?.(message);
    for (const message of [initialize, initialized, ...messages]) if (message) transport.onmessage?.(message);
  }

  function refuse(messages: JSONRPCMessage[], { message }: Error): void {
    for (const request of messages.filter(isRequest)) {
      void client.send({ jsonrpc: "2.0", id: request.id, error: { code: INTERNAL_ERROR, message } });
    }
    waiting = undefined;
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}
