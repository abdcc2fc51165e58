import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addToken } from "../../src/access/token-edits.js";
import { accessBy } from "../support/access.js";

const AUDIENCE = "https://research.example/mcp";
let issuer: string;
let server: Server;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
/** What the issuer answers, by its path; others are not found. */
let documents: Record<string, unknown>;

beforeEach(async () => {
  keys = await generateKeyPair("ES256", { extractable: true });
  server = createServer((request, response) => {
    const found = documents[request.url ?? ""];
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "1", alg: "ES256", use: "sig" };
  const metadata = { issuer, jwks_uri: `${issuer}/keys` };
  documents = { "/.well-known/oauth-authorization-server": metadata, "/keys": { keys: [jwk] } };
});
afterEach(() => {
  vi.restoreAllMocks();
  return new Promise((resolve) => server.close(resolve));
});

interface Claims {
  /** Default "1"; `null`: the token names no key. */
  kid?: string | null;
  aud?: string;
  iss?: string;
  sub?: string;
  exp?: string | number;
  key?: CryptoKey;
}

function token({
  kid = "1",
  aud = AUDIENCE,
  iss = issuer,
  sub = "ada",
  exp = "5m",
  key = keys.privateKey,
}: Claims = {}) {
  const header = { alg: "ES256", ...(kid !== null && { kid }) };
  const made = new SignJWT({}).setProtectedHeader(header).setAudience(aud).setIssuer(iss);
  return made.setSubject(sub).setExpirationTime(exp).setIssuedAt().sign(key);
}

const access = () => accessBy({ oauth: { issuer, audience: AUDIENCE } });
const principalOf = async (bearer: string) => (await access()).principalOf(`Bearer ${bearer}`);

test("a token of the issuer for this server is its subject's, the same each time and nobody else's", async () => {
  const [ada, again, bob] = await Promise.all(
    ["ada", "ada", "bob"].map(async (sub) => (await principalOf(await token({ sub })))?.owner),
  );
  expect(ada).toMatch(/^tenant:oauth:ada-[0-9a-f]{24}$/);
  expect(again).toBe(ada);
  expect(bob).not.toBe(ada);
  expect((await principalOf(await token({ sub: "ada\n../\u202E" })))?.owner).toMatch(
    /^tenant:oauth:ada..-[0-9a-f]{24}$/,
  );
});

test("whoever has no limits of its own has those of all: of the issuer everybody, of the file who has no such one", async () => {
  const limits = { running: 2, perMinute: 60 };
  const folder = mkdtempSync(join(tmpdir(), "limits-"));
  try {
    const tokensFile = join(folder, "tokens.json");
    const own = await addToken(tokensFile, "bob", { running: 5, queued: 1 });
    const all = await accessBy({ oauth: { issuer, audience: AUDIENCE }, tokensFile, limits });
    expect((await all.principalOf(`Bearer ${await token()}`))?.limits).toEqual(limits);
    expect((await all.principalOf(`Bearer ${own}`))?.limits).toEqual({ running: 5, queued: 1, perMinute: 60 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the issuer may say where its keys are in the way of OpenID Connect", async () => {
  documents["/.well-known/openid-configuration"] = documents["/.well-known/oauth-authorization-server"];
  delete documents["/.well-known/oauth-authorization-server"];
  expect(await principalOf(await token())).toBeDefined();
});

test.each<[string, () => Promise<string> | string]>([
  ["for another server", () => token({ aud: "https://other.example" })],
  ["of another issuer", () => token({ iss: "https://other.example" })],
  ["that is over", () => token({ exp: Math.floor(Date.now() / 1_000) - 120 })],
  ["of another key", async () => token({ key: (await generateKeyPair("ES256")).privateKey })],
  [
    "that was changed",
    async () => (await token()).replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"root"}').toString("base64url")}.`),
  ],
  [
    "that nobody signed",
    () =>
      `${[{ alg: "none" }, { iss: issuer, aud: AUDIENCE, sub: "a", exp: 9e9 }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`,
  ],
  [
    "signed with what everybody may read",
    async () => {
      const shared = Buffer.from(JSON.stringify(await exportJWK(keys.publicKey)));
      return new SignJWT({ aud: AUDIENCE, iss: issuer, sub: "a", exp: 9e9 })
        .setProtectedHeader({ alg: "HS256" })
        .sign(shared);
    },
  ],
  [
    "without an end",
    () =>
      new SignJWT({ aud: AUDIENCE, iss: issuer, sub: "a" })
        .setProtectedHeader({ alg: "ES256", kid: "1" })
        .sign(keys.privateKey),
  ],
  [
    "without a subject",
    () =>
      new SignJWT({ aud: AUDIENCE, iss: issuer, exp: 9e9 })
        .setProtectedHeader({ alg: "ES256", kid: "1" })
        .sign(keys.privateKey),
  ],
  ...([7, "", { of: "an object" }, ["a"]] as const).map((sub): [string, () => Promise<string>] => [
    `with the subject ${JSON.stringify(sub)}`,
    () =>
      new SignJWT({ aud: AUDIENCE, iss: issuer, sub: sub as never, exp: 9e9 })
        .setProtectedHeader({ alg: "ES256", kid: "1" })
        .sign(keys.privateKey),
  ]),
  [
    "of a key that the issuer does not have",
    () =>
      new SignJWT({ aud: AUDIENCE, iss: issuer, sub: "a", exp: 9e9 })
        .setProtectedHeader({ alg: "ES256", kid: "2" })
        .sign(keys.privateKey),
  ],
  ["that is none", () => "a.b.c"],
  ["that is long", () => `${"a".repeat(20_000)}.b.c`],
])("a token %s is nobody's", async (_, made) => {
  expect(await principalOf(await made())).toBeUndefined();
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["says nothing", { "/.well-known/oauth-authorization-server": undefined }, /says nowhere where its keys are/],
  [
    "speaks for another",
    { "/.well-known/oauth-authorization-server": { issuer: "https://other.example" } },
    /another issuer than .*: https:\/\/other\.example/,
  ],
  ["gives no keys", { "/keys": undefined }, /cannot be read/],
])(
  "an issuer that %s: nobody can tell who asks, and a request some seconds later tries again",
  async (_, changed, reason) => {
    const good = documents;
    documents = { ...good, ...changed };
    const open = await access();
    const bearer = `Bearer ${await token()}`;
    await expect(open.principalOf(bearer)).rejects.toThrow(reason);
    documents = good;
    passes(10_001);
    expect(await open.principalOf(bearer)).toBeDefined();
  },
);

test("an issuer that is away later is believed as it was, and asked again", async () => {
  const good = documents;
  const open = await access();
  const bearer = `Bearer ${await token()}`;
  expect(await open.principalOf(bearer)).toBeDefined();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 3_600_001);
  documents = { "/keys": good["/keys"] };
  expect(await open.principalOf(bearer)).toBeDefined();
  // It has other keys when it is back.
  const next = await generateKeyPair("ES256", { extractable: true });
  documents = { ...good, "/keys": { keys: [{ ...(await exportJWK(next.publicKey)), kid: "1", alg: "ES256" }] } };
  expect(await open.principalOf(bearer)).toBeDefined();
  vi.mocked(performance.now).mockImplementation(() => now() + 3_600_001 + 60_001);
  // It is asked beside the request.
  await vi.waitFor(async () => expect(await open.principalOf(bearer)).toBeUndefined());
  expect(await open.principalOf(`Bearer ${await token({ key: next.privateKey })}`)).toBeDefined();
});

/** A key of an issuer, as it stands in its document; `undefined`: it has no name. */
async function keyNamed(kid: string | undefined) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { key: privateKey, jwk: { ...(await exportJWK(publicKey)), alg: "ES256", ...(kid !== undefined && { kid }) } };
}

/** As if so long had gone by since the start; tokens stay good. */
function passes(ms: number): void {
  vi.restoreAllMocks();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

test("keys that cannot be asked for any more go on, however long; a token of an unknown one has to wait", async () => {
  const open = await access();
  const bearer = `Bearer ${await token()}`;
  expect(await open.principalOf(bearer)).toBeDefined();
  // Its document is gone, it is none, and nothing listens.
  for (const [n, gone] of [undefined, { keys: "none" }].entries()) {
    documents = { ...documents, "/keys": gone };
    passes((n + 1) * 11 * 60_000);
    expect(await open.principalOf(bearer)).toBeDefined();
  }
  await new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  passes(24 * 3_600_000);
  expect(await open.principalOf(bearer)).toBeDefined();
  const next = await keyNamed("2");
  await expect(open.principalOf(`Bearer ${await token({ key: next.key, kid: "2" })}`)).rejects.toThrow(
    /cannot be (?:asked|read) at/,
  );
  expect(await open.principalOf(bearer)).toBeDefined();
});

test("a key that the issuer took away is not good any more ten minutes later", async () => {
  const open = await access();
  const bearer = `Bearer ${await token()}`;
  expect(await open.principalOf(bearer)).toBeDefined();
  const next = await keyNamed("2");
  documents = { ...documents, "/keys": { keys: [next.jwk] } };
  expect(await open.principalOf(bearer)).toBeDefined();
  passes(600_001);
  expect(await open.principalOf(bearer)).toBeUndefined();
  expect(await open.principalOf(`Bearer ${await token({ key: next.key, kid: "2" })}`)).toBeDefined();
});

test.each<[string, string | undefined, string | null]>([
  ["another name", "2", "2"],
  ["the name of the old one", "1", "1"],
  ["another name that the token does not say", "2", null],
  ["no name", undefined, null],
])("a new key at the same place is known within ten seconds: %s", async (_, kid, said) => {
  const open = await access();
  const old = `Bearer ${await token()}`;
  expect(await open.principalOf(old)).toBeDefined();
  const next = await keyNamed(kid);
  const found = documents["/keys"] as { keys: object[] };
  // Both stand there for some time.
  documents = { ...documents, "/keys": { keys: kid === "1" ? [next.jwk] : [...found.keys, next.jwk] } };
  passes(10_001);
  const made = `Bearer ${await token({ key: next.key, kid: said })}`;
  expect(await open.principalOf(made)).toBeDefined();
  if (kid !== "1") expect(await open.principalOf(old)).toBeDefined();
  const stranger = await token({ key: (await keyNamed(undefined)).key, kid: said });
  expect(await open.principalOf(`Bearer ${stranger}`)).toBeUndefined();
});

test("a key of the issuer that cannot be used keeps no other from being tried, and no token is taken by it", async () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1_024 });
  const strong = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const [short, whole] = [weak, strong].map((pair) => ({ ...pair.publicKey.export({ format: "jwk" }), alg: "RS256" }));
  const signed = (kid: string | undefined, key: KeyObject) => {
    const parts = [
      { alg: "RS256", ...(kid !== undefined && { kid }) },
      { iss: issuer, aud: AUDIENCE, sub: "ada", exp: Math.floor(Date.now() / 1_000) + 300 },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    return `${parts.join(".")}.${sign("sha256", Buffer.from(parts.join(".")), key).toString("base64url")}`;
  };
  const ofNoForm = { kty: "RSA", n: "AQAB", alg: "RS256" };
  documents = { ...documents, "/keys": { keys: [ofNoForm, short, whole] } };
  expect(await principalOf(signed(undefined, strong.privateKey))).toBeDefined();
  expect(await principalOf(signed(undefined, weak.privateKey))).toBeUndefined();
  // The only one of its name.
  for (const jwk of [short, ofNoForm]) {
    documents = { ...documents, "/keys": { keys: [{ ...jwk, kid: "1" }] } };
    const open = await access();
    expect(await open.principalOf(`Bearer ${signed("1", weak.privateKey)}`)).toBeUndefined();
    documents = { ...documents, "/keys": { keys: [{ ...whole, kid: "1" }] } };
    passes(10_001);
    expect(await open.principalOf(`Bearer ${signed("1", strong.privateKey)}`)).toBeDefined();
    vi.restoreAllMocks();
  }
});

test("however many tokens come that no key signed, the issuer is asked once in ten seconds, whatever it answers", async () => {
  let asked: (string | undefined)[] = [];
  server.on("request", ({ url }) => asked.push(url));
  const open = await access();
  const { key } = await keyNamed(undefined);
  const forged = async (howMany: number) => {
    asked = [];
    const tokens = Array.from({ length: howMany }, (_, n) => token({ key, kid: n % 2 === 0 ? null : `unknown-${n}` }));
    const all = (await Promise.all(tokens)).map((each) => open.principalOf(`Bearer ${each}`));
    return (await Promise.allSettled(all)).map(({ status }) => status);
  };
  const good = documents;
  documents = {};
  expect(new Set(await forged(20))).toEqual(new Set(["rejected"]));
  expect(asked).toHaveLength(2);
  expect(new Set(await forged(20))).toEqual(new Set(["rejected"]));
  expect(asked).toEqual([]);
  documents = good;
  passes(10_001);
  expect(new Set(await forged(20))).toEqual(new Set(["fulfilled"]));
  expect(asked).toEqual(["/.well-known/oauth-authorization-server", "/keys"]);
  // Those that name no key are nobody's; whether there is a key of the other names cannot be found out.
  documents = { ...good, "/keys": undefined };
  passes(20_002);
  expect(await forged(4)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
  expect(asked).toEqual(["/.well-known/oauth-authorization-server", "/keys"]);
  expect(await open.principalOf(`Bearer ${await token()}`)).toBeDefined();
});

test("for what is no token of the issuer nobody is asked", async () => {
  let asked = 0;
  server.on("request", () => (asked += 1));
  const open = await access();
  const shared = new SignJWT({ iss: issuer, aud: AUDIENCE, sub: "a" }).setProtectedHeader({ alg: "HS256" });
  const others = ["a.b.c", await token({ iss: "https://other.example" }), await shared.sign(Buffer.alloc(32))];
  for (const other of others) expect(await open.principalOf(`Bearer ${other}`)).toBeUndefined();
  expect(asked).toBe(0);
});

test.each(["/.well-known/oauth-authorization-server", "/keys"])(
  "of an issuer's answer no more is read than a megabyte: %s",
  async (path) => {
    const long = "x".repeat(100_000);
    documents = { ...documents, [path]: { ...(documents[path] as object), long: Array(11).fill(long) } };
    await expect(principalOf(await token())).rejects.toThrow("its answer is longer than 1000000 bytes");
    // With good keys in it, too, nothing of it is believed.
    documents = { ...documents, [path]: { ...(documents[path] as object), long: Array(9).fill(long) } };
    expect(await principalOf(await token())).toBeDefined();
  },
);

test("the log says why a token is not taken and where the issuer does not answer, and never a token", async () => {
  const lines: string[] = [];
  const open = await accessBy({ oauth: { issuer, audience: AUDIENCE } }, (line) => lines.push(line));
  const forAnother = await token({ aud: "https://other.example" });
  const over = await token({ exp: 1_000_000 });
  const strange = await token({ key: (await keyNamed(undefined)).key });
  for (const each of ["a.b.c", forAnother, over, strange]) await open.principalOf(`Bearer ${each}`);
  const why = [/no JWT/, /"aud"/, /"exp"/, /signature verification failed/];
  expect(lines).toEqual(why.map((reason) => expect.stringMatching(reason)));
  for (const line of lines) expect(line).toMatch(/^debug OAuth: a token is not taken: /);
  expect(await open.problem()).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  const away = await access();
  const expected = `The issuer ${issuer} cannot be asked at ${issuer}/.well-known/oauth-authorization-server: fetch failed: `;
  expect(await away.problem()).toContain(expected);
  await expect(away.principalOf(`Bearer ${await token()}`)).rejects.toThrow(expected);
  // Who is known can come in.
  expect(await open.problem()).toBeUndefined();
});

test("nobody waits again for an issuer that takes connections and says nothing, where the keys are known", async () => {
  const open = await access();
  const bearer = `Bearer ${await token()}`;
  await open.principalOf(bearer);
  documents = {};
  passes(600_001);
  expect(await open.principalOf(bearer)).toBeDefined();
  const silent: (string | undefined)[] = [];
  server.removeAllListeners("request");
  const reached = new Promise<void>((resolve) => {
    server.on("request", ({ url }) => {
      silent.push(url);
      resolve();
    });
  });
  passes(620_001);
  // The issuer hears of it, and has not answered.
  for (let n = 0; n < 3; n++) expect(await open.principalOf(bearer)).toBeDefined();
  await reached;
  expect(await open.principalOf(bearer)).toBeDefined();
  expect(silent).toEqual(["/.well-known/oauth-authorization-server"]);
  server.closeAllConnections();
});

test("clocks may differ by a minute, and no more", async () => {
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  expect(await principalOf(await token({ exp: inSeconds(-30) }))).toBeDefined();
  const from = (seconds: number) =>
    new SignJWT({ aud: AUDIENCE, iss: issuer, sub: "a", exp: inSeconds(600), nbf: inSeconds(seconds) })
      .setProtectedHeader({ alg: "ES256", kid: "1" })
      .sign(keys.privateKey);
  expect(await principalOf(await from(30))).toBeDefined();
  expect(await principalOf(await from(120))).toBeUndefined();
});

test("an issuer that has its keys where anybody could stand between is not believed", async () => {
  documents["/.well-known/oauth-authorization-server"] = { issuer, jwks_uri: "http://keys.example/keys" };
  await expect(principalOf(await token())).rejects.toThrow("over https");
});
