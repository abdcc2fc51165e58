import { lookup } from "node:dns/promises";
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  STATUS_CODES,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { type ProxyEnvironment, proxyFor } from "../../net/proxies.js";
import { hostOf, lookupAllowed } from "../../net/public-address.js";
import { PageError } from "./page-error.js";

/** How one request is made. */
export interface HttpGetOptions {
  headers: Readonly<Record<string, string>>;
  /** Ends the request. */
  signal: AbortSignal;
  /** Variables that name proxies. */
  env: ProxyEnvironment;
  /** Whether a connection to this address (IPv4 or IPv6) may be made. */
  allowAddress: (address: string) => boolean;
  /** Milliseconds until the connection must stand. */
  connectTimeoutMs: number;
  /** Connections of earlier requests with the same rules. */
  connections: Connections;
}

/** Connections that stay open for a while: a page follows its `robots.txt`, and pages of one site each other. */
export class Connections {
  readonly #http = new HttpAgent(KEPT);
  readonly #https = new HttpsAgent(KEPT);

  of(protocol: string): HttpAgent {
    return protocol === "https:" ? this.#https : this.#http;
  }
}

/** Unused ones are closed after so many milliseconds, and keep no program from ending. */
const KEPT = { keepAlive: true, maxFreeSockets: 2, timeout: 4_000 };

const MAX_HEADER_BYTES = 32_768;

/** Asks for one address, through its proxy when there is one; gives the answer before its body. Rejects with a {@link PageError}. */
export async function httpGet(url: URL, options: HttpGetOptions): Promise<IncomingMessage> {
  const proxy = proxyOf(url, options.env);
  if (proxy === undefined) return send(url, { lookup: lookupAllowed(options.allowAddress) }, options);
  await checkBehindProxy(url, options);
  const authorization = proxyAuthorization(proxy);
  if (url.protocol === "http:") {
    const through = { hostname: hostOf(proxy.href), port: portOf(proxy), path: url.href, protocol: proxy.protocol };
    return send(url, { ...through, headers: { ...authorization, host: url.host } }, options, proxy.protocol);
  }
  const socket = await tunnel(url, proxy, authorization, options);
  const servername = isIP(hostOf(url.href)) === 0 ? hostOf(url.href) : "";
  return send(url, { agent: false, createConnection: () => tlsConnect({ socket, servername }) }, options);
}

function proxyOf(url: URL, env: ProxyEnvironment): URL | undefined {
  try {
    return proxyFor(url, env);
  } catch (error) {
    throw new PageError("network", `could not be requested: ${(error as Error).message}`, { cause: error });
  }
}

/** A proxy connects where it likes: a name that is known here to be inside is not asked for. */
async function checkBehindProxy(url: URL, { allowAddress }: HttpGetOptions): Promise<void> {
  if (isIP(hostOf(url.href)) !== 0) return;
  const addresses = await lookup(hostOf(url.href), { all: true }).catch(() => []);
  if (addresses.length > 0 && !addresses.some(({ address }) => allowAddress(address))) {
    throw new PageError("address", "is not on the public internet");
  }
}

function send(
  url: URL,
  more: RequestOptions,
  options: HttpGetOptions,
  protocol = url.protocol,
): Promise<IncomingMessage> {
  const { headers, signal, connectTimeoutMs, connections } = options;
  return new Promise((resolve, reject) => {
    const request = protocol === "https:" ? httpsRequest : httpRequest;
    const asking = request(url, {
      method: "GET",
      agent: connections.of(protocol),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      ...more,
      headers: { ...headers, ...(more.headers as Record<string, string> | undefined) },
    });
    const late = setTimeout(() => asking.destroy(notConnected(connectTimeoutMs)), connectTimeoutMs);
    const connected = () => clearTimeout(late);
    asking.once("socket", (socket) => {
      if (!socket.connecting) connected();
      else socket.once(protocol === "https:" ? "secureConnect" : "connect", connected);
    });
    asking.once("close", connected);
    let isAnswered = false;
    asking.once("response", (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    asking.once("error", (error: NodeJS.ErrnoException) => {
      // A host may close an unused connection at this very moment: it is asked by a new one.
      const isStale = asking.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (!isStale || isAnswered || signal.aborted) reject(toPageError(error, signal));
      else resolve(send(url, { ...more, agent: false }, options, protocol));
    });
    asking.end();
  });
}

/** A connection to the host through the proxy. */
function tunnel(url: URL, proxy: URL, authorization: Record<string, string>, options: HttpGetOptions): Promise<Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === "https:" ? httpsRequest : httpRequest;
    const asking = request({
      host: hostOf(proxy.href),
      port: portOf(proxy),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      signal: options.signal,
    });
    const late = setTimeout(() => asking.destroy(notConnected(options.connectTimeoutMs)), options.connectTimeoutMs);
    asking.once("close", () => clearTimeout(late));
    asking.once("connect", (answer, socket) => {
      clearTimeout(late);
      if (answer.statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(refusedByProxy(answer.statusCode));
    });
    asking.once("response", (answer) => {
      answer.destroy();
      reject(refusedByProxy(answer.statusCode));
    });
    asking.once("error", (error) => reject(toPageError(error, options.signal)));
    asking.end();
  });
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}

function refusedByProxy(status = 0): PageError {
  return new PageError(
    "network",
    `cannot be reached: the proxy answered ${status} ${STATUS_CODES[status] ?? ""}`.trim(),
  );
}

function notConnected(ms: number): PageError {
  return new PageError("timeout", `cannot be reached: there was no connection within ${ms / 1_000} s`);
}

/** What went wrong with a connection, for the model. */
export function toPageError(error: unknown, signal: AbortSignal): PageError {
  if (error instanceof PageError) return error;
  if (signal.aborted) {
    return signal.reason instanceof PageError
      ? signal.reason
      : new PageError("cancelled", "was not read: the run ended");
  }
  const { code = "", message } = error as NodeJS.ErrnoException;
  const why: Readonly<Record<string, string>> = {
    ENOTFOUND: "its host has no address",
    EAI_AGAIN: "the name service did not answer",
    ECONNREFUSED: "its host refused the connection",
    ECONNRESET: "its host closed the connection",
    EACCES: "it is not on the public internet",
    HPE_HEADER_OVERFLOW: "its headers are too long",
  };
  const reason = code === "EACCES" ? "address" : "network";
  return new PageError(reason, `cannot be reached: ${why[code] ?? (code || message).slice(0, 200)}`, { cause: error });
}
