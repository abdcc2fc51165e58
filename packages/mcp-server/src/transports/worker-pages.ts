import { createServer, type Server } from "node:http";
import type { AccessSettings } from "../host/access-settings.js";
import { isLoopback } from "../host/loopback.js";
import type { Page } from "../queue/pages.js";
import { originProblem } from "./http-access.js";

/** The pages of a worker. They are shown as those of a server that takes calls would be. */
export function workerPages(
  pages: Readonly<Record<string, Page>>,
  { host, token, tokensFile, oauth }: AccessSettings & { host: string },
): Server {
  const isOpen = isLoopback(host) && [token, tokensFile, oauth].every((each) => each === undefined);
  return createServer((request, response) => {
    const problem = originProblem(request, host);
    if (problem !== undefined) {
      response.writeHead(problem.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ error: problem.message }));
    }
    const path = request.url?.split("?")[0] ?? "";
    const page = request.method === "GET" ? pages[path] : undefined;
    if (page !== undefined) void page(request, response, { all: false, isOpen }).catch(() => response.destroy());
    else response.writeHead(path === "/health" ? 200 : 404).end(path === "/health" ? '{"status":"ok"}' : "");
  });
}
