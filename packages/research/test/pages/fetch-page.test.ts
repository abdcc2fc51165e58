import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { isPublicAddress } from "../../src/net/public-address.js";
import { createPageFetcher, type PageFetcherOptions } from "../../src/pages/fetch/fetch-page.js";
import { HOST, type Site, startProxy, startSite } from "./servers.js";

type Answer = (response: ServerResponse, path: string) => void;

/** A site whose paths answer as told; everything else, `robots.txt` among it, is not there. */
async function siteOf(paths: Record<string, Answer | string>) {
  return startSite(({ url = "" }, response) => {
    const answer = paths[url];
    if (answer === undefined) response.writeHead(404).end("not here");
    else if (typeof answer === "string") response.end(answer);
    else answer(response, url);
  });
}

const redirect =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end();

function fetcherFor(site: Site, more: Partial<PageFetcherOptions> = {}) {
  return createPageFetcher({
    userAgent: "x-research/1.0 (+https://a.org)",
    allowAddress: (address) => address === "127.0.0.1" || isPublicAddress(address),
    ports: [site.port],
    ...more,
  });
}

const textOf = (page: { bytes: Uint8Array }) => Buffer.from(page.bytes).toString();

test("a page is fetched with its type, and the program says who it is", async () => {
  const site = await siteOf({
    "/a?b=1": (response) => response.setHeader("content-type", "text/plain; charset=x").end("text"),
  });
  const page = await fetcherFor(site)(site.url("/a?b=1#part"));
  expect(page).toMatchObject({
    url: site.url("/a?b=1#part"),
    finalUrl: site.url("/a?b=1"),
    contentType: "text/plain; charset=x",
  });
  expect(textOf(page)).toBe("text");
  expect(site.headers.at(-1)).toMatchObject({ "user-agent": "x-research/1.0 (+https://a.org)" });
});

test("pages of a site and its robots.txt come by one connection", async () => {
  const connections = new Set<unknown>();
  const site = await startSite(({ socket }, response) => {
    connections.add(socket);
    response.end("User-agent: *");
  });
  const fetchPage = fetcherFor(site);
  await fetchPage(site.url("/1"));
  await fetchPage(site.url("/2"));
  expect(site.asked).toEqual(["/robots.txt", "/1", "/2"]);
  expect(connections.size).toBe(1);
});

test("a connection that its host has closed meanwhile costs no page", async () => {
  const connections = new Set<unknown>();
  const site = await startSite(({ socket }, response) => {
    if (connections.has(socket)) socket.destroy();
    connections.add(socket);
    response.end("User-agent: *");
  });
  const fetchPage = fetcherFor(site);
  expect(textOf(await fetchPage(site.url("/1")))).toBe("User-agent: *");
  expect(site.asked).toEqual(["/robots.txt", "/1", "/1"]);
});

test("redirects are followed, and the last address is told", async () => {
  const site = await siteOf({ "/1": redirect("/2"), "/2": redirect("3?x"), "/3?x": "there" });
  const page = await fetcherFor(site)(site.url("/1"));
  expect([page.finalUrl, textOf(page)]).toEqual([site.url("/3?x"), "there"]);
});

test.each([
  ["a private address", "http://10.0.0.1/"],
  ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data/"],
  ["this machine by its name", "http://localhost/"],
  ["this machine in another form", "http://2130706433/"],
  ["IPv6 of this machine", "http://[::1]/"],
  ["a name of the network inside", "http://printer.local/"],
  ["a file", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["data", "data:text/plain,hello"],
  ["a password", "https://user:secret@example.org/"],
  ["another port", "https://example.org:22/"],
  ["no address", "example"],
])("%s is not asked for, neither at once nor behind a redirect", async (_, url) => {
  await expect(createPageFetcher({ userAgent: "x" })(url)).rejects.toMatchObject({
    name: "PageError",
    reason: "address",
  });
  const site = await siteOf({ "/r": redirect(url) });
  const fetchPage = fetcherFor(site, { allowAddress: (address) => address === "127.0.0.1" && site.asked.length < 2 });
  if (URL.canParse(url)) await expect(fetchPage(site.url("/r"))).rejects.toMatchObject({ reason: "address" });
});

test("a name that leads to an address inside is refused where the connection is made [evidence/inside-addresses]", async () => {
  const fetchPage = createPageFetcher({ userAgent: "x", respectRobots: false, allowAddress: () => false });
  await expect(fetchPage("http://localhost.localdomain/")).rejects.toMatchObject({ name: "PageError" });
});

test.each([
  [404, {}, "answered 404 (Not Found)"],
  [403, {}, "answered 403 (Forbidden)"],
  [503, { "retry-after": "120" }, "answered 503 (Service Unavailable); it asks to wait 120"],
])("status %i is a failed read", async (status, headers, message) => {
  const site = await siteOf({ "/x": (response) => response.writeHead(status, headers).end("a page that says no") });
  await expect(fetcherFor(site)(site.url("/x"))).rejects.toMatchObject({ reason: "status", status, message });
});

test.each([
  [
    "endless redirects",
    "/x",
    (response: ServerResponse) => response.writeHead(301, { location: "/x" }).end(),
    "redirects",
  ],
  ["a silent host", "/x", () => {}, "timeout"],
  ["a drip of bytes", "/x", (response: ServerResponse) => void drip(response), "timeout"],
  ["a closed connection", "/x", (response: ServerResponse) => response.destroy(), "network"],
  ["a body that breaks off", "/x", (response: ServerResponse) => void breakOff(response), "network"],
  [
    "more than is announced as allowed",
    "/x",
    (response: ServerResponse) => response.writeHead(200, { "content-length": 2_000 }).end("a".repeat(2_000)),
    "too-large",
  ],
  ["more than is allowed, unannounced", "/x", (response: ServerResponse) => void endless(response), "too-large"],
  [
    "a bomb",
    "/x",
    (response: ServerResponse) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(200_000))),
    "too-large",
  ],
  [
    "a bomb in a bomb",
    "/x",
    (response: ServerResponse) =>
      response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(gzipSync(gzipSync(Buffer.alloc(200_000)))),
    "too-large",
  ],
  [
    "damaged gzip",
    "/x",
    (response: ServerResponse) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    "unreadable",
  ],
  [
    "an unknown packing",
    "/x",
    (response: ServerResponse) => response.writeHead(200, { "content-encoding": "zip" }).end("zip"),
    "unreadable",
  ],
])("%s ends the read and leaves nothing open", async (_, path, answer, reason) => {
  const site = await siteOf({ [path]: answer as Answer });
  const fetchPage = fetcherFor(site, { timeoutMs: 1_000, maxBytes: 1_000 });
  await expect(fetchPage(site.url(path))).rejects.toMatchObject({ name: "PageError", reason });
});

async function drip(response: ServerResponse) {
  response.writeHead(200);
  const timer = setInterval(() => response.write("a"), 50);
  response.on("close", () => clearInterval(timer));
}

function breakOff(response: ServerResponse) {
  response.writeHead(200, { "content-length": 500 });
  response.write("begin");
  setImmediate(() => response.destroy());
}

function endless(response: ServerResponse) {
  response.writeHead(200);
  const more = () => response.writable && response.write("a".repeat(500), () => setImmediate(more));
  more();
}

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
])("%s is unpacked", async (encoding, pack) => {
  const site = await siteOf({
    "/x": (response) => response.setHeader("content-encoding", encoding).end(pack("packed text")),
  });
  expect(textOf(await fetcherFor(site)(site.url("/x")))).toBe("packed text");
});

test("a refused connection, a silent one, and the caller's end", async () => {
  const site = await siteOf({});
  const gone = createPageFetcher({ userAgent: "x", allowAddress: () => true, ports: [1], respectRobots: false });
  await expect(gone("http://127.0.0.1:1/")).rejects.toMatchObject({
    reason: "network",
    message: expect.stringContaining("refused"),
  });
  const stop = new AbortController();
  const silent = await siteOf({ "/x": () => stop.abort() });
  await expect(fetcherFor(silent)(silent.url("/x"), stop.signal)).rejects.toMatchObject({ reason: "cancelled" });
  await expect(fetcherFor(site)(site.url("/x"), AbortSignal.abort())).rejects.toMatchObject({ reason: "cancelled" });
});

test("robots.txt is asked for once, and respected [evidence/robots]", async () => {
  const robots =
    "User-agent: *\nDisallow: /no\n\nUser-agent: X-Research\nDisallow: /private\nAllow: /private/open$\nDisallow: /*.json";
  const site = await siteOf({
    "/robots.txt": robots,
    "/no": "no rule for us",
    "/private/open": "open",
    "/private/x": "closed",
    "/a.json": "{}",
  });
  const fetchPage = fetcherFor(site);
  expect(textOf(await fetchPage(site.url("/no")))).toBe("no rule for us");
  expect(textOf(await fetchPage(site.url("/private/open")))).toBe("open");
  for (const path of ["/private/x", "/a.json"])
    await expect(fetchPage(site.url(path))).rejects.toMatchObject({ reason: "robots" });
  expect(site.asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
  expect(textOf(await fetcherFor(site, { respectRobots: false })(site.url("/private/x")))).toBe("closed");
});

test("where robots.txt fails with a 5xx nothing is read; where it is not there, everything is", async () => {
  const site = await siteOf({ "/robots.txt": (response) => response.writeHead(500).end(), "/x": "x" });
  await expect(fetcherFor(site)(site.url("/x"))).rejects.toMatchObject({ reason: "robots" });
  const open = await siteOf({ "/robots.txt": (response) => response.writeHead(403).end("Disallow: /"), "/x": "x" });
  expect(textOf(await fetcherFor(open)(open.url("/x")))).toBe("x");
});

test("two pages of a host at a time", async () => {
  let [open, most] = [0, 0];
  const slow: Answer = (response) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.end("x");
    }, 20);
  };
  const site = await siteOf(Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/${i}`, slow])));
  const fetchPage = fetcherFor(site, { respectRobots: false });
  await Promise.all(Array.from({ length: 8 }, (_, i) => fetchPage(site.url(`/${i}`))));
  expect(most).toBe(2);
});

test("through a proxy, in plain text and by CONNECT; never to what is named inside", async () => {
  const site = await siteOf({ "/x": "behind a proxy" });
  const proxy = await startProxy(site);
  const fetchPage = createPageFetcher({ userAgent: "x", env: proxy.env });
  expect(textOf(await fetchPage(`http://${HOST}/x`))).toBe("behind a proxy");
  // The site speaks no TLS: that the proxy was asked for a connection is what is looked at.
  await expect(fetchPage(`https://${HOST}/x`)).rejects.toMatchObject({ reason: "network" });
  expect(proxy.asked).toEqual([`GET http://${HOST}/robots.txt`, `GET http://${HOST}/x`, `CONNECT ${HOST}:443`]);
  await expect(fetchPage("http://192.168.0.1/x")).rejects.toMatchObject({ reason: "address" });
  await expect(fetchPage("http://localhost.localdomain/x")).rejects.toMatchObject({ name: "PageError" });
  expect(proxy.asked.filter((line) => !line.includes(HOST))).toEqual([]);
});

test("a proxy that refuses, or that is no address, is said", async () => {
  const fetchPage = (env: Record<string, string>) => createPageFetcher({ userAgent: "x", env })(`https://${HOST}/x`);
  const refusing = await startSite((_, response) => response.writeHead(407).end());
  const url = `http://user:pass@127.0.0.1:${refusing.port}`;
  await expect(fetchPage({ HTTPS_PROXY: url })).rejects.toMatchObject({ reason: "network" });
  await expect(fetchPage({ HTTPS_PROXY: "ftp://a" })).rejects.toMatchObject({
    message: expect.stringContaining("no address"),
  });
});
