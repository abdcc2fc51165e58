import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isPublicAddress } from "../../src/net/public-address.js";
import { createUrlResolver, type UrlResolverOptions } from "../../src/node/index.js";

const LINK = /\/grounding-api-redirect\//;

/** A server on loopback that plays Google's, and a resolver that may connect to it. */
async function google(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: UrlResolverOptions = {},
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const allowAddress = (address: string) => address === "127.0.0.1" || isPublicAddress(address);
  const resolve = createUrlResolver({ isLink: (url) => LINK.test(url), allowAddress, ...options });
  return { asked, base, link: `${base}/grounding-api-redirect/A`, resolve };
}

const to = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(302, { location }).end();

test("the page behind a link is what it points to; the page itself is not asked", async () => {
  const { resolve, link, asked } = await google(to("https://site.org/page?a=1"));
  expect(await resolve(link)).toBe("https://site.org/page?a=1");
  expect(asked).toEqual(["HEAD /grounding-api-redirect/A"]);
});

test("GET follows where HEAD is refused, and a link to a link is followed", async () => {
  const { resolve, link, asked } = await google((request, response) => {
    if (request.method === "HEAD") return response.writeHead(405).end();
    if (request.url?.endsWith("/A")) return to("/grounding-api-redirect/B")(request, response);
    return to("https://site.org/")(request, response);
  });
  expect(await resolve(link)).toBe("https://site.org/");
  expect(asked).toEqual([
    "HEAD /grounding-api-redirect/A",
    "GET /grounding-api-redirect/A",
    "HEAD /grounding-api-redirect/B",
    "GET /grounding-api-redirect/B",
  ]);
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://127.1/",
  "http://2130706433/",
  "http://[::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://localhost/",
  "http://router.local/",
  "http://db.internal/",
  "http://intranet/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https://user:secret@site.org/",
])("a link that leads to %s has no page", async (location) => {
  const { resolve, link } = await google(to(location), {
    allowAddress: (address) =>
      address === "127.0.0.1" && location !== "http://127.1/" && location !== "http://2130706433/",
  });
  expect(await resolve(link)).toBeUndefined();
});

test("no connection is made to an address that is not public, by name or by number", async () => {
  const { base, asked } = await google(to("https://site.org/"));
  const resolve = createUrlResolver({ isLink: (url) => LINK.test(url) });
  expect(await resolve(`${base}/grounding-api-redirect/A`)).toBeUndefined();
  expect(await resolve(`${base.replace("127.0.0.1", "localhost")}/grounding-api-redirect/A`)).toBeUndefined();
  expect(asked).toEqual([]);
});

test("an answer that is no redirect, circles, breaks off or never comes has no page", async () => {
  const never = await google(() => {}, { timeoutMs: 50 });
  expect(await never.resolve(never.link)).toBeUndefined();
  for (const answer of [
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(200).end("<html>"),
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(302).end(),
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(302, { location: "http://[" }).end(),
    (request: IncomingMessage) => request.socket.destroy(),
    to("/grounding-api-redirect/A"),
  ]) {
    const { resolve, link, asked } = await google(answer);
    expect(await resolve(link)).toBeUndefined();
    expect(asked.length).toBeLessThanOrEqual(6);
  }
});

test("every other address is its own answer, without a request", async () => {
  const { resolve, asked } = await google(to("https://site.org/"));
  expect(await resolve("https://site.org/x")).toBe("https://site.org/x");
  expect(asked).toEqual([]);
});

test("a link is asked once, also by two at a time; one that failed may be asked again", async () => {
  let broken = true;
  const { resolve, link, asked } = await google((request, response) => {
    if (broken) request.socket.destroy();
    else to("https://site.org/")(request, response);
  });
  expect(await resolve(link)).toBeUndefined();
  broken = false;
  const before = asked.length;
  expect(await Promise.all([resolve(link), resolve(link)])).toEqual(["https://site.org/", "https://site.org/"]);
  expect(await resolve(link)).toBe("https://site.org/");
  expect(asked.length - before).toBe(1);
});

test("no more links are asked at once than allowed", async () => {
  let now = 0;
  let most = 0;
  const { resolve, base } = await google(
    (request, response) => {
      most = Math.max(most, ++now);
      setImmediate(() => {
        now--;
        to("https://site.org/")(request, response);
      });
    },
    { concurrency: 3 },
  );
  await Promise.all(Array.from({ length: 20 }, (_, i) => resolve(`${base}/grounding-api-redirect/${i}`)));
  expect(most).toBeLessThanOrEqual(3);
});

test("without a way out, no more links are asked after a few", async () => {
  const { resolve, base, asked } = await google(() => {}, { timeoutMs: 30, concurrency: 8 });
  const links = Array.from({ length: 40 }, (_, i) => `${base}/grounding-api-redirect/${i}`);
  expect(await Promise.all(links.map((link) => resolve(link)))).toEqual(Array(40).fill(undefined));
  expect(asked.length).toBeLessThanOrEqual(16);
});

test("an aborted wait ends at once", async () => {
  const { resolve, link } = await google(() => {}, { timeoutMs: 200 });
  expect(await resolve(link, AbortSignal.abort())).toBeUndefined();
  const stop = new AbortController();
  const waiting = resolve(link, stop.signal);
  stop.abort();
  expect(await waiting).toBeUndefined();
});

test.each([
  ["8.8.8.8", true],
  ["93.184.215.14", true],
  ["2606:4700::1111", true],
  ["10.1.2.3", false],
  ["172.31.255.255", false],
  ["192.168.0.1", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["169.254.169.254", false],
  ["0.0.0.0", false],
  ["198.18.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::a00:1", false],
  ["fe80::1", false],
  ["fc00::1", false],
  ["2002:7f00:1::", false],
  ["2001:db8::1", false],
  ["ff02::1", false],
  ["not an address", false],
])("%s is public: %s", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
