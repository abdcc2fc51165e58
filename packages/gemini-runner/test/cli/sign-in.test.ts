import { lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, vi } from "vitest";
import { readSignIn } from "../../src/cli/sign-in.js";
import { createGeminiRunner, resultOf, run } from "../../src/index.js";
import { httpError, startModelServer } from "../../src/testing/index.js";
import { CLI, FAKE_CLI, test } from "../small-world.js";

const { PATH = "" } = process.env;

async function homeWith(home: string, files: Record<string, string>): Promise<string> {
  await mkdir(path.join(home, ".gemini"), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(home, name), content);
  return home;
}

/** As a container may be told to run: the system's list of users says nothing. */
function withoutEntry() {
  return vi.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  });
}

describe("the user's way of signing in", () => {
  test.for([
    [
      "settings with comments",
      { ".gemini/settings.json": '{ /* a */ "security": { // b\n "auth": { "selectedType": "vertex-ai" } } }' },
      {},
      "vertex-ai",
    ],
    [
      "settings before the environment",
      { ".gemini/settings.json": '{"security":{"auth":{"selectedType":"oauth-personal"}}}' },
      { GEMINI_API_KEY: "k" },
      "oauth-personal",
    ],
    ["a key in the environment", {}, { GEMINI_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: "http://x" }, "gemini-api-key"],
    ["Vertex AI in the environment", {}, { GOOGLE_GENAI_USE_VERTEXAI: "true", GEMINI_API_KEY: "k" }, undefined],
    ["broken settings", { ".gemini/settings.json": "{" }, {}, undefined],
  ] as const)("%s", async ([, files, env, expected], { temporaryFolder }) => {
    const home = await homeWith(await temporaryFolder("home"), files);
    expect((await readSignIn({ HOME: home, ...env })).auth.selectedType).toBe(expected);
  });

  test("a user without a home may still have a key", async () => {
    const list = withoutEntry();
    expect((await readSignIn({ GEMINI_API_KEY: "k" })).auth.selectedType).toBe("gemini-api-key");
    list.mockRestore();
  });

  test("a key in the home's .env is used, nothing else of it", async ({ temporaryFolder }) => {
    const home = await homeWith(await temporaryFolder("home"), {
      ".gemini/.env": 'GEMINI_API_KEY="from file" # mine\nNODE_OPTIONS=--x\nGEMINI_MODEL=m\nGOOGLE_CLOUD_PROJECT=p\n',
    });
    expect(await readSignIn({ HOME: home, GOOGLE_CLOUD_PROJECT: "q" })).toMatchObject({
      auth: { selectedType: "gemini-api-key" },
      env: { GEMINI_API_KEY: "from file" },
    });
    expect((await readSignIn({ HOME: home, GOOGLE_CLOUD_PROJECT: "q" })).env).not.toHaveProperty("NODE_OPTIONS");
  });

  test("how the API is reached is read from the home's .env, beneath the environment", async ({ temporaryFolder }) => {
    const home = await homeWith(await temporaryFolder("home"), {
      ".gemini/.env":
        "GOOGLE_GEMINI_BASE_URL=http://file\nHTTPS_PROXY=http://file\nNO_PROXY=file\nNODE_TLS_REJECT_UNAUTHORIZED=0\n",
    });
    expect((await readSignIn({ HOME: home, https_proxy: "http://set" })).env).toEqual({
      GOOGLE_GEMINI_BASE_URL: "http://file",
      NO_PROXY: "file",
    });
  });

  test.for([
    ["its variable", {}, { GEMINI_API_KEY: "k" }, { variable: "GEMINI_API_KEY" }],
    ["a file", { ".env": "GEMINI_API_KEY=k\n" }, {}, { variable: "GEMINI_API_KEY", file: "~/.env" }],
    [
      "a variable before the file",
      { ".env": "GEMINI_API_KEY=k\n" },
      { GEMINI_API_KEY: "l" },
      { variable: "GEMINI_API_KEY" },
    ],
    [
      "that of Vertex AI",
      { ".gemini/.env": "GOOGLE_API_KEY=k\nGEMINI_API_KEY=l\n" },
      { GOOGLE_GENAI_USE_VERTEXAI: "true" },
      { variable: "GOOGLE_API_KEY", file: "~/.gemini/.env" },
    ],
    ["none with a login", {}, { GOOGLE_GENAI_USE_GCA: "true", GEMINI_API_KEY: "k" }, undefined],
    ["none with Vertex AI by a project", {}, { GOOGLE_GENAI_USE_VERTEXAI: "true", GEMINI_API_KEY: "k" }, undefined],
  ] as const)("the key that counts: %s", async ([, files, env, expected], { temporaryFolder }) => {
    const home = await homeWith(await temporaryFolder("home"), files);
    expect((await readSignIn({ HOME: home, ...env })).key).toEqual(expected);
  });

  test("another home of the CLI is honoured", async ({ temporaryFolder }) => {
    const home = await homeWith(await temporaryFolder("home"), {
      ".gemini/settings.json": '{"security":{"auth":{"selectedType":"vertex-ai"}}}',
      ".gemini/.env": "GOOGLE_API_KEY=k\n",
    });
    const { auth, files, key, envFile } = await readSignIn({ HOME: "/nowhere", GEMINI_CLI_HOME: home });
    expect(auth).toEqual({ selectedType: "vertex-ai" });
    expect(files).toContain(path.join(home, ".gemini/oauth_creds.json"));
    expect(key).toEqual({ variable: "GOOGLE_API_KEY", file: "$GEMINI_CLI_HOME/.gemini/.env" });
    expect(envFile).toBe(path.join(home, ".gemini/.env"));
  });
});

// A key in the environment: `failures.test.ts`.
test.for([false, true])(
  "the real CLI asks where the home's .env says, and a key of it that is refused is named by that place (pool: %s)",
  async (pool, { temporaryFolder }) => {
    const server = await startModelServer({ scenario: () => httpError("bad-key") });
    onTestFinished(() => server.close());
    const lines = Object.entries(server.env).map(([name, value]) => `${name}=${value}\n`);
    const home = await homeWith(await temporaryFolder("home"), { ".gemini/.env": lines.join("") });
    const env = { PATH, HOME: home };
    const cwd = await temporaryFolder("runs");
    const runner = createGeminiRunner({ command: CLI, cwd, env, retries: 0, pool });
    onTestFinished(() => runner.close());
    await expect(resultOf(runner.run({ prompt: "hello" }))).rejects.toMatchObject({
      reason: "key-refused",
      message:
        "The API refused the key (GEMINI_API_KEY in ~/.gemini/.env): API key not valid. Please pass a valid API key.",
      keyVariable: "GEMINI_API_KEY",
      keyFile: "~/.gemini/.env",
    });
    const keys = server.requests.map(({ headers }) => headers["x-goog-api-key"]);
    expect(new Set(keys)).toEqual(new Set([server.env["GEMINI_API_KEY"]]));
  },
);

test("a cached login is seen by the CLI, and a token that it refreshes is kept", async ({ temporaryFolder }) => {
  const home = await homeWith(await temporaryFolder("home"), { ".gemini/oauth_creds.json": "old token" });
  const folder = await temporaryFolder("runs");
  const { text } = await run({
    prompt: JSON.stringify([{ refresh: "new token" }, { result: "success" }]),
    command: FAKE_CLI,
    cwd: folder,
    env: { PATH, HOME: home },
  });
  expect(text).toBe("old token");
  expect(await readFile(path.join(home, ".gemini/oauth_creds.json"), "utf8")).toBe("new token");
  expect((await lstat(path.join(home, ".gemini/oauth_creds.json"))).isFile()).toBe(true);
});

test("the CLI of a user without a home, for which it would crash, has that of its run", async ({ temporaryFolder }) => {
  const list = withoutEntry();
  const { text } = await run({
    prompt: JSON.stringify([{ env: true }, { result: "success" }]),
    command: FAKE_CLI,
    cwd: await temporaryFolder("runs"),
    env: { PATH, GEMINI_API_KEY: "k" },
  });
  list.mockRestore();
  const { HOME, GEMINI_CLI_HOME } = JSON.parse(text) as Record<string, string>;
  expect(HOME).toBe(GEMINI_CLI_HOME);
});

test("the CLI sees what it needs of the environment, and no other secret", async ({ temporaryFolder }) => {
  const home = await temporaryFolder("home");
  const passed = {
    PATH,
    HOME: home,
    LANG: "C",
    GEMINI_API_KEY: "k",
    GOOGLE_CLOUD_PROJECT: "p",
    GOOGLE_APPLICATION_CREDENTIALS: "/c.json",
    CODE_ASSIST_ENDPOINT: "http://e",
    https_proxy: "http://proxy",
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
    NODE_EXTRA_CA_CERTS: "/dev/null",
    FIRECRAWL_API_KEY: "f",
    OTHER: "o",
  };
  const { text } = await run({
    prompt: JSON.stringify([{ env: true }, { result: "success" }]),
    command: FAKE_CLI,
    cwd: await temporaryFolder("runs"),
    mcpServers: {
      firecrawl: { command: "x", env: { A: "$FIRECRAWL_API_KEY", B: `a ${"$"}{OTHER:-x}` }, includeTools: ["scrape"] },
    },
    env: {
      ...passed,
      AWS_SECRET_ACCESS_KEY: "s",
      GITHUB_TOKEN: "s",
      NODE_OPTIONS: "--no-warnings",
      GEMINI_CLI_HOME: home,
      GEMINI_SYSTEM_MD: "/evil",
      GEMINI_SANDBOX: "docker",
      DEBUG: "1",
    },
  });
  const seen = JSON.parse(text) as Record<string, string>;
  expect(seen).toMatchObject(passed);
  const { GEMINI_CLI_HOME = "", GEMINI_SYSTEM_MD = "", TMPDIR = "" } = seen;
  for (const inside of [GEMINI_SYSTEM_MD, TMPDIR]) expect(path.dirname(inside)).toBe(GEMINI_CLI_HOME);
  const own = ["GEMINI_CLI_HOME", "GEMINI_CLI_NO_RELAUNCH", "GEMINI_CLI_TRUST_WORKSPACE", "GEMINI_SYSTEM_MD"];
  expect(Object.keys(seen).toSorted()).toEqual(
    [...Object.keys(passed), ...own, "NO_BROWSER", "NO_COLOR", "TEMP", "TMP", "TMPDIR"].toSorted(),
  );
});
