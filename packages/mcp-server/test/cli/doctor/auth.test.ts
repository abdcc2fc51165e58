import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
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
  // What is no way has no number.
  expect(ways).toMatch(/ To see whether it works: `x-research doctor --live` $/);
  expect(ways).not.toContain("5. ");
  expect(JSON.parse((await place.run(["auth", "--json"])).out).ways).toHaveLength(4);
});

test("it says where the key comes from, and never the key", async () => {
  mkdirSync(join(place.home, ".gemini"));
  writeFileSync(join(place.home, ".gemini/.env"), "GEMINI_API_KEY=secret-key\n");
  const { code, out } = await place.run(["auth"]);
  expect(code).toBe(0);
  expect(out).toContain(`API key: GEMINI_API_KEY in ${place.home}/.gemini/.env`);
  expect(out).not.toContain("secret-key");
  const json = (await place.run(["auth", "--json"], { env: { GEMINI_API_KEY: "other-key" } })).out;
  expect(JSON.parse(json)).toMatchObject({ status: "ok", summary: "API key: GEMINI_API_KEY in the environment" });
  expect(json).not.toContain("other-key");
});

test.skipIf(process.platform === "win32")("a key that others may read is a warning", async () => {
  mkdirSync(join(place.home, ".gemini"));
  const file = join(place.home, ".gemini/.env");
  writeFileSync(file, "GEMINI_API_KEY=secret-key\n");
  chmodSync(file, 0o644);
  for (const folder of [place.home, join(place.home, ".gemini")]) chmodSync(folder, 0o755);
  expect(JSON.parse((await place.run(["auth", "--json"])).out)).toMatchObject({
    status: "warning",
    summary: `API key: GEMINI_API_KEY in ${file}, which others on this machine may read`,
    fix: `chmod 600 ${file}`,
  });
  chmodSync(join(place.home, ".gemini"), 0o700);
  expect(JSON.parse((await place.run(["auth", "--json"])).out)).toMatchObject({ status: "ok" });
  chmodSync(join(place.home, ".gemini"), 0o755);
  chmodSync(file, 0o600);
  expect(JSON.parse((await place.run(["auth", "--json"])).out)).toMatchObject({ status: "ok" });
});

test.each([
  [
    "a variable",
    { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "lab" },
    "",
    "GOOGLE_GENAI_USE_VERTEXAI in the environment",
  ],
  [
    "a line of the CLI's file",
    {},
    "GOOGLE_GENAI_USE_VERTEXAI=true\nGOOGLE_CLOUD_PROJECT=lab\n",
    "GOOGLE_GENAI_USE_VERTEXAI in HOME/.gemini/.env",
  ],
  ["a login", { GOOGLE_GENAI_USE_GCA: "true" }, "", "GOOGLE_GENAI_USE_GCA in the environment"],
])(
  "a key that lies unused, since another way is chosen by %s, is told with what has chosen it",
  async (_, env, lines, by) => {
    mkdirSync(join(place.home, ".gemini"));
    writeFileSync(join(place.home, ".gemini/.env"), `GEMINI_API_KEY=secret-key\n${lines}`);
    const { code, out } = await place.run(["auth", "--json"], { env });
    expect(code).toBe(0);
    const { status, summary, fix } = JSON.parse(out);
    const chosenBy = by.replace("HOME", place.home);
    expect(status).toBe("warning");
    expect(summary).toContain(`(${chosenBy}); GEMINI_API_KEY in ${place.home}/.gemini/.env is not used`);
    expect(fix).toContain(`To use the key instead, take out ${chosenBy}.`);
    expect(out).not.toContain("secret-key");
    const said = (await place.run(["auth"], { env })).out.replaceAll(/\s+/g, " ");
    expect(said).toContain("To use the key instead, take out");
  },
);

test("Vertex AI without credentials is told before a question fails of it", async () => {
  const env = { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "lab" };
  const before = JSON.parse((await place.run(["auth", "--json"], { env })).out);
  expect(before).toMatchObject({
    status: "warning",
    fix: expect.stringContaining("gcloud auth application-default login"),
  });
  mkdirSync(join(place.home, ".config/gcloud"), { recursive: true });
  writeFileSync(join(place.home, ".config/gcloud/application_default_credentials.json"), "{}");
  expect(JSON.parse((await place.run(["auth", "--json"], { env })).out)).toMatchObject({ status: "ok" });
  const named = { ...env, GOOGLE_APPLICATION_CREDENTIALS: "/nowhere/key.json" };
  expect(JSON.parse((await place.run(["auth", "--json"], { env: named })).out)).toMatchObject({ status: "warning" });
});
