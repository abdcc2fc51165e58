import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

test("nobody is signed in: 4, and the safest way stands first", async () => {
  const { code, out } = await place.run(["auth"]);
  expect(code).toBe(4);
  expect(out).toMatch(/^✗ Sign-in/);
  const [, ways = ""] = out.replaceAll(/\s+/g, " ").split("the safest first ");
  expect(ways).toMatch(
    /^1\. A key in Gemini CLI's own file: .*\.gemini\/\.env.*2\. Vertex AI.*3\. Gemini Code Assist.*4\. A variable/,
  );
});

test("it says where the key comes from, and never the key", async () => {
  mkdirSync(join(place.home, ".gemini"));
  writeFileSync(join(place.home, ".gemini/.env"), "GEMINI_API_KEY=secret-key\n");
  const { code, out } = await place.run(["auth"]);
  expect(code).toBe(0);
  expect(out).toContain("API key from the CLI's .env file");
  expect(out).not.toContain("secret-key");
  const json = (await place.run(["auth", "--json"], { env: { GEMINI_API_KEY: "other-key" } })).out;
  expect(JSON.parse(json)).toMatchObject({ status: "ok", summary: "API key from GEMINI_API_KEY" });
  expect(json).not.toContain("other-key");
});
