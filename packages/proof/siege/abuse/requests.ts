/** Requests of HTTP that are not as they should be. */
import { randomUUID } from "node:crypto";
import { must } from "../../fuzz/target.js";
import { openMany, untilDropped } from "../connections.js";
import type { Sent } from "../exchange.js";
import type { Abuse, Group } from "../ground.js";
import { counted, inParallel, many } from "./expect.js";

const MIB = 2 ** 20;
/** What a body may have on its way before the server must have said that it is too long. */
const MOST_TAKEN = 16 * MIB;
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "siege", version: "1" } },
});
const HEAD = { accept: "application/json, text/event-stream", "content-type": "application/json" };

interface Known {
  port: number;
  token: string;
}
/** The requests of a row, and the statuses that each may be answered with; 0: closed without an answer. */
type Row = [name: string, sent: string, statuses: readonly number[], requests: (known: Known) => Sent[]];

const authorized = (token: string) => ({ ...HEAD, authorization: `Bearer ${token}` });
const withAuthorization = (values: readonly string[]) =>
  values.map((authorization) => ({ headers: { ...HEAD, authorization }, body: INITIALIZE }));
const padded = (bytes: number) => INITIALIZE.padEnd(bytes, " ");

const STATUSES: readonly Row[] = [
  ["no token", "`initialize` without one", [401], () => [{ headers: HEAD, body: INITIALIZE }]],
  [
    "wrong tokens",
    "another, a part, one more letter, `Basic`, blanks",
    [401],
    ({ token }) =>
      withAuthorization([
        `Bearer ${randomUUID()}`,
        `Bearer ${token.slice(0, -1)}`,
        `Bearer ${token}x`,
        `Bearer ${token} ${token}`,
        `Basic ${Buffer.from(`:${token}`).toString("base64")}`,
        "Bearer",
        token,
      ]),
  ],
  [
    "token elsewhere",
    "in the address, in a cookie",
    [401],
    ({ token }) => [
      { path: `/mcp?token=${token}&access_token=${token}`, headers: HEAD, body: INITIALIZE },
      { headers: { ...HEAD, cookie: `token=${token}` }, body: INITIALIZE },
    ],
  ],
  [
    "500 guessed tokens",
    "one after the other",
    [401, 429],
    () => withAuthorization(many(500, () => `Bearer ${randomUUID()}`)),
  ],
  ["long body without a token", "3 MiB", [0, 401, 413], () => [{ headers: HEAD, body: padded(3 * MIB) }]],
  [
    "foreign Host",
    "`evil.example`, look-alikes of loopback, the whole address",
    [400, 403, 421],
    ({ port, token }) => [
      ...[
        "evil.example",
        `evil.example:${port}`,
        "127.0.0.1.evil.example",
        `localhost.:${port}@evil.example`,
        "[::ffff:8.8.8.8]",
      ].map((host) => ({ headers: { ...authorized(token), host, "x-forwarded-host": "127.0.0.1" }, body: INITIALIZE })),
      { path: "http://evil.example/mcp", headers: { ...authorized(token), host: "evil.example" }, body: INITIALIZE },
    ],
  ],
  [
    "foreign Origin",
    "`http://evil.example`, `null`, look-alikes of loopback",
    [400, 403],
    ({ token }) =>
      ["http://evil.example", "null", "http://127.0.0.1.evil.example", "http://localhost.evil.example", "file://"].map(
        (origin) => ({ headers: { ...authorized(token), origin }, body: INITIALIZE }),
      ),
  ],
  [
    "200 guessed sessions",
    "`tools/list` in each",
    [400, 404],
    ({ token }) =>
      many(200, () => ({
        headers: { ...authorized(token), "mcp-session-id": randomUUID() },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      })),
  ],
  [
    "no JSON",
    "half a message, bytes that are no UTF-8, nothing, a number",
    [400],
    ({ token }) =>
      ['{"jsonrpc":', Buffer.from([0x22, 0xff, 0xfe, 0x22]), "", "7"].map((body) => ({
        headers: authorized(token),
        body,
      })),
  ],
  [
    "another content type",
    "`text/plain`, as a form may send it",
    [400, 415],
    ({ token }) => [{ headers: { ...authorized(token), "content-type": "text/plain" }, body: INITIALIZE }],
  ],
  [
    "other methods and paths",
    "`PUT`, `PATCH`, `TRACE`, `/../mcp`, `/metrics/../../etc/passwd`",
    [400, 404, 405, 501],
    ({ token }) => [
      ...["PUT", "PATCH", "TRACE"].map((method) => ({ method, headers: authorized(token) })),
      ...["/%2e%2e/mcp", "/metrics/../../etc/passwd", "//evil.example/mcp"].map((path) => ({
        method: "GET",
        path,
        headers: authorized(token),
      })),
    ],
  ],
  [
    "long header",
    "64 KiB",
    [0, 400, 431],
    ({ token }) => [{ headers: { ...authorized(token), "x-long": "x".repeat(65_536) } }],
  ],
  [
    "many headers",
    "3,000 short ones",
    [0, 400, 431],
    ({ token }) => [
      {
        headers: { ...authorized(token), ...Object.fromEntries(many(3_000, (i) => [`x-${i}`, "x"])) },
        body: INITIALIZE,
      },
    ],
  ],
  [
    "body at the limit",
    "4 MiB to the byte",
    [200, 413],
    ({ token }) => [{ headers: authorized(token), body: padded(4 * MIB) }],
  ],
  ["body over the limit", "5 MiB", [0, 413], ({ token }) => [{ headers: authorized(token), body: padded(5 * MIB) }]],
  [
    "announced body",
    "`Content-Length: 1000000000000`, 10 bytes",
    [0, 400, 413],
    ({ token }) => [
      { headers: { ...authorized(token), "content-length": "1000000000000" }, body: slowly("{", "         ") },
    ],
  ],
  [
    "deep JSON",
    "lists, then objects, 300,000 and more deep",
    [200, 400, 413],
    ({ token }) => [
      { headers: authorized(token), body: "[".repeat(3 * MIB) },
      { headers: authorized(token), body: `${"[".repeat(MIB)}${"]".repeat(MIB)}` },
      {
        headers: authorized(token),
        body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(300_000)}1${"}".repeat(300_001)}`,
      },
    ],
  ],
];

export const REQUESTS: Group = {
  name: "Requests of HTTP",
  abuses: [
    ...STATUSES.map(
      ([name, sent, statuses, requests]): Abuse => ({
        name,
        sent,
        expected: statuses.map((status) => (status === 0 ? "closed" : status)).join(" or "),
        withinMs: 10_000,
        async play(ground) {
          const replies = await inParallel(requests(ground), 10, (sent) => ground.exchange(sent));
          const wrong = replies.filter(({ status }) => !statuses.includes(status));
          must(
            wrong.length === 0,
            () => `${counted(wrong.map(({ status }) => status))}: ${wrong[0]?.text.slice(0, 120)}`,
          );
          must(!replies.some(({ text }) => text.includes(ground.token)), () => "the answer holds the token");
          return counted(replies.map(({ status }) => status));
        },
      }),
    ),
    {
      name: "body without end",
      sent: "128 MiB in chunks, without a length",
      expected: "413 or closed before 16 MiB",
      withinMs: 15_000,
      async play({ exchange, token }) {
        let poured = 0;
        async function* endless() {
          for (; poured < 128 * MIB; poured += MIB) yield " ".repeat(MIB);
        }
        const { status } = await exchange({ headers: authorized(token), body: endless() });
        must([0, 413].includes(status), () => `answered ${status}`);
        must(poured <= MOST_TAKEN, () => `${poured / MIB} MiB were taken`);
        return `${status === 0 ? "closed" : status} after ${poured / MIB} MiB`;
      },
    },
    {
      name: "a connection for one request",
      sent: "`initialize` with `Connection: close`",
      expected: "the server closes it after the answer",
      withinMs: 5_000,
      async play({ port, token, signal }) {
        const head = { ...authorized(token), host: `127.0.0.1:${port}`, connection: "close" };
        const lines = Object.entries({ ...head, "content-length": INITIALIZE.length }).map(
          ([key, value]) => `${key}: ${value}`,
        );
        const [socket] = await openMany(
          port,
          1,
          () => `POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${INITIALIZE}`,
        );
        socket?.resume();
        const ms = await untilDropped(
          port,
          socket ? [socket] : [],
          AbortSignal.any([signal, AbortSignal.timeout(3_000)]),
        );
        return `closed after ${(ms / 1_000).toFixed(1)} s`;
      },
    },
    {
      name: "preflight from elsewhere",
      sent: "`OPTIONS` with `Origin: http://evil.example`",
      expected: "no permission for it",
      withinMs: 5_000,
      async play({ exchange }) {
        const headers = { origin: "http://evil.example", "access-control-request-method": "POST" };
        const { status, headers: said } = await exchange({ method: "OPTIONS", headers });
        must(
          said["access-control-allow-origin"] === undefined,
          () => `allowed: ${said["access-control-allow-origin"]}`,
        );
        return String(status);
      },
    },
    {
      name: "health without a token",
      sent: "`GET /health`",
      expected: "says that it is well, and nothing else",
      withinMs: 5_000,
      async play({ exchange }) {
        const { status, text } = await exchange({ method: "GET", path: "/health" });
        must(status === 200 && /ok/i.test(text), () => `${status} ${text}`);
        must(/^[\s{}"]*(?:status"?\s*:\s*"?)?ok[\s{}"]*$/i.test(text), () => text.slice(0, 200));
        return text.trim();
      },
    },
  ],
};

async function* slowly(...parts: string[]) {
  for (const part of parts) {
    yield part;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
