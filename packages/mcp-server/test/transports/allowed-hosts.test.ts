import { expect, test } from "vitest";
import { hostnameOf, isAllowed } from "../../src/transports/allowed-hosts.js";

test.each([
  ["127.0.0.1", "http://localhost:3000", true],
  ["127.0.0.1", "http://[::1]:3000", true],
  ["127.0.0.1", "http://evil.example", false],
  ["0.0.0.0", "http://box.example:3000", true],
  ["::", "http://[fd00::1]:3000", true],
  ["10.0.0.7", "http://10.0.0.7:3000", true],
  ["10.0.0.7", "http://10.0.0.8:3000", false],
  ["fd00::0:1", "http://[fd00::1]:3000", true],
  ["[fd00::1]", "http://[FD00::1]:3000", true],
  ["fd00::1", "http://[fd00::2]:3000", false],
  ["Box.Local", "http://box.local:3000", true],
])("at %s a request to %s is allowed: %s", (servedAt, url, allowed) => {
  expect(isAllowed(hostnameOf(url) ?? "", servedAt)).toBe(allowed);
});
