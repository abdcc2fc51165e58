import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { AccessSettings } from "../../src/host/access-settings.js";
import { Metrics } from "../../src/queue/metrics.js";
import { pagesOf } from "../../src/queue/pages.js";
import { workerPages } from "../../src/transports/worker-pages.js";

/** The pages of a worker on loopback; gives the way to ask for one. */
async function pagesWith({ metricsToken, ...settings }: Partial<AccessSettings> & { metricsToken?: string } = {}) {
  const metrics = new Metrics();
  metrics.ended("tenant:ann", "completed");
  const pages = pagesOf({ metrics, problems: async () => [], token: metricsToken });
  const unset = { token: undefined, tokensFile: undefined, oauth: undefined, limits: {} };
  const server = workerPages(pages, { host: "127.0.0.1", ...unset, ...settings });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, headers }, async (response) => {
        resolve({ status: response.statusCode ?? 0, body: await text(response) });
      });
      asked.on("error", reject).end();
    });
}

test("a page in a browser that reaches a worker by a name of its own learns nothing", async () => {
  const get = await pagesWith();
  for (const path of ["/metrics", "/ready", "/health", "/other"]) {
    for (const headers of [{ host: "rebound.example" }, { origin: "https://site.example" }]) {
      const { status, body } = await get(path, headers as Record<string, string>);
      expect([status, body]).toEqual([403, expect.stringMatching(/^{"error":"(?:Host|Origin) is not allowed: /)]);
    }
  }
  expect((await get("/metrics", { host: "localhost:9464" })).body).toContain('tenant="tenant:ann"');
  expect((await get("/health")).body).toBe('{"status":"ok"}');
  expect((await get("/other")).status).toBe(404);
});

test.each<[string, Parameters<typeof pagesWith>[0]]>([
  ["there is a token for them", { metricsToken: "watcher" }],
  ["there is a token of the server", { token: "of-the-server" }],
  ["there are tenants", { tokensFile: "/srv/tokens.json" }],
  ["there is an issuer", { oauth: { issuer: "https://id.example", audience: "a" } }],
])("a worker on loopback does not show its numbers to everybody where %s", async (_, settings) => {
  const get = await pagesWith(settings);
  for (const headers of [{}, { authorization: "Bearer wrong" }]) {
    const { status, body } = await get("/metrics", headers as Record<string, string>);
    expect([status, body.includes("ann")]).toEqual([401, false]);
  }
  expect((await get("/ready")).status).toBe(200);
  if (settings?.metricsToken === undefined) return;
  expect((await get("/metrics", { authorization: "Bearer watcher" })).body).toContain('tenant="tenant:ann"');
});
