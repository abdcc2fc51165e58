import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A host of the public internet, by its number: nothing is contacted, the proxy answers for it. */
export const HOST = "93.184.215.14";

export interface Site {
  port: number;
  /** Address of a path on loopback. */
  url(path: string): string;
  /** What was asked for, in order. */
  asked: string[];
  headers: Record<string, string | string[] | undefined>[];
}

/** A web server on loopback. */
export async function startSite(answer: RequestListener): Promise<Site> {
  const asked: string[] = [];
  const headers: Site["headers"] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    headers.push(request.headers);
    answer(request, response);
  });
  const port = await listening(server);
  return { port, url: (path) => `http://127.0.0.1:${port}${path}`, asked, headers };
}

/** A proxy on loopback that leads every host to the site; as the variables that name it. */
export async function startProxy(site: Pick<Site, "port">) {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { pathname, search } = new URL(incoming.url ?? "", "http://none");
    const inside = request({ port: site.port, path: pathname + search, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    inside.on("error", () => outgoing.destroy());
    inside.end();
  });
  server.on("connect", (incoming, socket, head) => {
    asked.push(`CONNECT ${incoming.url}`);
    const inside = connect(site.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      inside.write(head);
      socket.pipe(inside).pipe(socket);
    });
    inside.on("error", () => socket.destroy());
    socket.on("error", () => inside.destroy());
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  return { asked, url, env: { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: "127.0.0.1,localhost" } };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
