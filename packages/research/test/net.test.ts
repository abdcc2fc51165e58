import { expect, test } from "vitest";
import { proxyFor } from "../src/net/proxies.js";

const ALL = {
  HTTP_PROXY: "http://plain:1",
  https_proxy: "secure:2",
  NO_PROXY: "a.org, .b.org,*.c.org,d.org:8080, [::1]",
};

test.each([
  ["http://x.org/", "http://plain:1/"],
  ["https://x.org/", "http://secure:2/"],
  ["https://a.org/", undefined],
  ["https://www.a.org/", undefined],
  ["https://nota.org/", "http://secure:2/"],
  ["https://www.b.org/", undefined],
  ["https://www.c.org/", undefined],
  ["http://d.org:8080/", undefined],
  ["http://d.org/", "http://plain:1/"],
  ["http://[::1]/", undefined],
])("the proxy for %s", (url, proxy) => {
  expect(proxyFor(new URL(url), ALL)?.href).toBe(proxy);
});

test("ALL_PROXY serves where nothing else does, and * excludes all", () => {
  expect(proxyFor(new URL("https://x.org"), { ALL_PROXY: "http://all:3" })?.href).toBe("http://all:3/");
  expect(proxyFor(new URL("https://x.org"), { ALL_PROXY: "http://all:3", no_proxy: "*" })).toBeUndefined();
  expect(proxyFor(new URL("https://x.org"), {})).toBeUndefined();
  expect(() => proxyFor(new URL("https://x.org"), { ALL_PROXY: "socks5://x:1" })).toThrow("no address such as");
});
