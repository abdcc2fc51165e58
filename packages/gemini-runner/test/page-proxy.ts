import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface PageProxy {
  /** What makes the CLI ask here for every page, and go past it for the local model server. */
  env: { HTTPS_PROXY: string; HTTP_PROXY: string; NO_PROXY: string };
  /** The addresses that were asked for, in order, each time. */
  asked: string[];
  close(): Promise<void>;
}

/** A host to which no connection comes about. */
export const REFUSES = "93.184.215.99";

/** A proxy for pages at public IP literals, which need no name service: `answer` stands for all of their hosts. */
export async function startPageProxy(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<PageProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const pages = createServer((request, response) => {
    asked.push(`http://${request.headers.host}${request.url}`);
    answer(request, response);
  });
  const proxy = createServer();
  proxy.on("connect", (request: IncomingMessage, client: Socket) => {
    sockets.add(client);
    client.on("error", () => {});
    if (request.url?.startsWith(REFUSES)) return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const { port } = pages.address() as AddressInfo;
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
  await Promise.all([pages, proxy].map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    env: { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: "127.0.0.1" },
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = [pages, proxy].map((server) => once(server, "close"));
      for (const server of [pages, proxy]) {
        server.close();
        server.closeAllConnections();
      }
      await Promise.all(closed);
    },
  };
}
