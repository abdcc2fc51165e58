import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));

// Test files share the modules that they import, so such a hook would hold in the first of them alone, and what the others
// start would stay. What a helper starts it ends by `onTestFinished`.
test("no helper of tests has hooks of its own", () => {
  const helpers = readdirSync(PACKAGES)
    .map((name) => join(name, "test"))
    .filter((folder) => existsSync(join(PACKAGES, folder)))
    .flatMap((folder) =>
      readdirSync(join(PACKAGES, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => join(folder, file)),
    );
  expect(helpers.length).toBeGreaterThan(20);
  const hooked = helpers.filter((file) =>
    /^(?:afterEach|afterAll|beforeEach|beforeAll)\(/m.test(readFileSync(join(PACKAGES, file), "utf8")),
  );
  expect(hooked).toEqual([]);
});
