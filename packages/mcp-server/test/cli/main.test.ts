import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelServer, text } from "@x/gemini-runner/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runDoctor } from "../../src/cli/doctor/run-doctor.js";
import { main } from "../../src/cli/main.js";
import { fakeIo } from "./fake-io.js";

// Each starts the real CLI, some of them several times.
vi.setConfig({ testTimeout: 60_000 });

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "main-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function run(argv: string[], options: Partial<Parameters<typeof fakeIo>[0]> = {}) {
  const { io, out, err } = fakeIo({ home, ...options });
  const code = await main(argv, io);
  return { code, out: out(), err: err() };
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");

test("--help names every command and every exit code; each command has help of its own", async () => {
  const { code, out } = await run(["--help"]);
  expect(code).toBe(0);
  for (const command of ["search", "deep-search", "resume", "list", "doctor", "setup", "http", "completion"]) {
    expect(out).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    if (command !== "http")
      expect((await run([command, "--help"])).out).toMatch(new RegExp(`^Usage: mcp-server ${command}`));
  }
  for (const exit of [0, 1, 2, 3, 4, 5, 6, 7, 130]) expect(out).toMatch(new RegExp(`\\b${exit}  \\S`));
});

test("--version", async () => {
  expect(await run(["--version"])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
});

test("nothing is kept: the list says so, in JSON it is empty", async () => {
  expect((await run(["list"])).out).toBe("No research is kept yet.\n");
  expect((await run(["list", "--json"])).out).toBe("[]\n");
});

describe("completion", () => {
  /** What bash offers for the last of these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const { out } = await run(["completion", "bash"]);
    const script = `${out}
COMP_WORDS=(mcp-server "$@"); COMP_CWORD=$#
_mcp_server_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean);
  }

  test("commands, choices and options, in bash", async () => {
    expect(await offered("se")).toEqual(["search", "setup"]);
    expect(await offered("setup", "claude")).toEqual(["claude-code", "claude-desktop"]);
    expect(await offered("search", "--recency", "")).toEqual(["day", "week", "month", "year"]);
    expect(await offered("deep-search", "why", "--r")).toEqual(["--rounds", "--recency", "--require-verified"]);
    expect(await offered("search", "--model", "")).toEqual([]);
    expect(await offered("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
  });

  test("zsh and fish are told the same", async () => {
    const zsh = (await run(["completion", "zsh"])).out;
    expect(zsh).toMatch(/^#compdef mcp-server\n/);
    expect(zsh).toContain("'search --recency') compadd day week month year ;;");
    const fish = (await run(["completion", "fish"])).out;
    expect(fish).toContain(
      "complete -c mcp-server -n '__fish_seen_subcommand_from search' -l recency -x -a 'day week month year' -d 'only pages of the last'",
    );
    expect((await run(["completion", "csh"])).code).toBe(2);
  });
});

describe("setup", () => {
  test("writes for several clients and says what to do next", async () => {
    const { code, out, err } = await run(["setup", "claude-code", "codex", "--env", "GEMINI_MODEL=pro"]);
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(err).toContain(`✓ Claude Code: wrote ${home}/.claude.json\n  Start a new session`);
    expect(JSON.parse(await readFile(join(home, ".claude.json"), "utf8"))).toEqual({
      mcpServers: {
        research: {
          type: "stdio",
          command: "npx",
          args: ["-y", "@x/mcp-server"],
          env: { GEMINI_MODEL: "pro" },
        },
      },
    });
    expect(await readFile(join(home, ".codex/config.toml"), "utf8")).toContain('GEMINI_MODEL = "pro"');
    expect((await run(["setup", "codex", "--env", "GEMINI_MODEL=pro"])).err).toContain("✓ Codex is set up already");
  });

  test("a secret never goes into a project's file, a reference to one does", async () => {
    const project = ["--project", "--env", "GEMINI_API_KEY=k1", "--env", "GEMINI_MODEL=pro"];
    const { code, err } = await run(["setup", "cursor", ...project]);
    expect(code).toBe(2);
    expect(err).toContain("A secret does not go into a file of the project: GEMINI_API_KEY.");
    expect(err).toContain(`Put it into ${home}/.gemini/.env instead`);
    await expect(readFile(join(home, ".cursor/mcp.json"))).rejects.toThrow("ENOENT");
    const reference = ["--project", "--env", `GEMINI_API_KEY=${"$"}{GEMINI_API_KEY}`];
    expect(await run(["setup", "claude-code", ...reference])).toMatchObject({ code: 0 });
    expect(await readFile(join(home, ".mcp.json"), "utf8")).toContain("{GEMINI_API_KEY}");
  });

  test("a secret in the person's own file is written, and the better place named", async () => {
    const { code, err } = await run(["setup", "claude-desktop", "--env", "GEMINI_API_KEY=k1"]);
    expect(code).toBe(0);
    expect(inOneLine(err)).toContain(`GEMINI_API_KEY can be read in this file. ${home}/.gemini/.env would serve`);
    const { err: without } = await run(["setup", "windsurf"]);
    expect(inOneLine(without)).toContain("does not see your shell's variables: an API key belongs into");
  });

  test("without a name it tells which clients are installed, and which are done", async () => {
    await mkdir(join(home, ".cursor"));
    await writeFile(join(home, ".claude.json"), "{ no json");
    await run(["setup", "codex"]);
    const { code, out, err } = await run(["setup"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("✓ Codex           set up already\n");
    expect(out).toContain("› Cursor          installed, not set up: `mcp-server setup cursor`\n");
    expect(out).toContain("  Zed             not found\n");
    expect(out).toMatch(/✗ Claude Code {5}.*\.claude\.json: line 1 is not JSON/);
  });

  test("from a checkout, clients start its file", async () => {
    const { io, err } = fakeIo({ home });
    const checkout = { ...io, checkout: "/src/packages/mcp-server/dist/bin.js" };
    expect(await main(["setup", "Cursor"], checkout)).toBe(0);
    expect(JSON.parse(await readFile(join(home, ".cursor/mcp.json"), "utf8"))).toEqual({
      mcpServers: { research: { command: process.execPath, args: ["/src/packages/mcp-server/dist/bin.js"] } },
    });
    expect(err()).toContain("This is a checkout: clients will start /src/packages/mcp-server/dist/bin.js.");
  });

  test("--print writes nothing and gives the configuration alone on stdout", async () => {
    const { code, out, err } = await run(["setup", "vscode", "--print"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      servers: { research: { type: "stdio", command: "npx", args: ["-y", "@x/mcp-server"] } },
    });
    expect(err).toBe(`Put this into ${home}/.config/Code/User/mcp.json\n`);
    await expect(readFile(join(home, ".config/Code/User/mcp.json"))).rejects.toThrow("ENOENT");
  });

  test("a configuration that cannot be read is left as it is, and the way by hand is named", async () => {
    await writeFile(join(home, ".claude.json"), "{ not json");
    const { code, err } = await run(["setup", "claude-code"]);
    expect(code).toBe(1);
    expect(err).toMatch(/✗ .*\.claude\.json: line 1 is not JSON[\s\S]*`mcp-server setup claude-code --print`/);
    expect(await readFile(join(home, ".claude.json"), "utf8")).toBe("{ not json");
  });

  test.each([
    [["emacs"], /Allowed choices are claude-code, /],
    [["codex", "--env", "KEY"], /NAME=VALUE is expected/],
    [["windsurf", "--project"], /windsurf has no configuration for a single project/],
  ])("setup %j is wrong usage", async (args, message) => {
    const { code, err } = await run(["setup", ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("doctor", () => {
  /** A program that doctor takes for the CLI, of a known version. */
  async function cli(): Promise<string> {
    const folder = join(home, "cli");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "name": "@google/gemini-cli", "version": "0.61.0" }');
    await writeFile(join(folder, "gemini.js"), "#!/usr/bin/env node\n");
    await chmod(join(folder, "gemini.js"), 0o755);
    return join(folder, "gemini.js");
  }
  async function examined(env: Record<string, string | undefined> = {}, machine = {}) {
    const { io, out } = fakeIo({ home, env: { GEMINI_CLI_PATH: await cli(), ...env } });
    const code = await runDoctor({ json: true }, io, { nodeVersion: "20.19.0", policyDirs: [], ...machine });
    const { ok, checks } = JSON.parse(out()) as {
      ok: boolean;
      checks: { name: string; status: string; summary: string; fix?: string }[];
    };
    return { code, ok, text: out(), of: (name: string) => checks.filter((check) => check.name === name) };
  }

  test("all is well", async () => {
    const { code, ok, of, text: shown } = await examined({ GEMINI_API_KEY: "secret-key" });
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(of("Gemini CLI")).toMatchObject([{ status: "ok", summary: expect.stringMatching(/^0\.61\.0 \(/) }]);
    expect(of("Sign-in")).toMatchObject([{ status: "ok", summary: "API key from GEMINI_API_KEY" }]);
    expect(of("Model")).toMatchObject([{ summary: "chosen by the CLI" }]);
    expect(shown).not.toContain("secret-key");
  });

  test("a program that is not the CLI may need no sign-in", async () => {
    await writeFile(join(home, "gemini"), "#!/bin/sh\n", { mode: 0o755 });
    const { code, ok, of } = await examined({ GEMINI_CLI_PATH: join(home, "gemini") });
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(of("Sign-in")).toMatchObject([{ status: "warning", fix: expect.stringContaining("may need none") }]);
  });

  test("for people: a line each, and one at the end", async () => {
    const { out, code } = await run(["doctor"], { env: { GEMINI_CLI_PATH: await cli(), GEMINI_API_KEY: "k" } });
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ Node\.js +\d+\.\d+\.\d+\n✓ Gemini CLI +0\.61\.0/);
    expect(out).toMatch(/\nReady\. `mcp-server doctor --live` also asks the model\.\n$/);
  });

  test.each<[string, Record<string, string | undefined>, string, string, RegExp, number]>([
    ["no CLI", { GEMINI_CLI_PATH: "/nowhere/gemini" }, "Gemini CLI", "failed", /\/nowhere\/gemini/, 3],
    ["no sign-in", {}, "Sign-in", "failed", /^None/, 4],
    [
      "Vertex AI without a project",
      { GOOGLE_GENAI_USE_VERTEXAI: "true" },
      "Sign-in",
      "failed",
      /GOOGLE_CLOUD_PROJECT/,
      4,
    ],
    [
      "Vertex AI",
      { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "lab" },
      "Sign-in",
      "ok",
      /Vertex AI, project lab/,
      0,
    ],
    [
      "a wrong setting",
      { GEMINI_API_KEY: "k", JSON_MAX_RETRIES: "many" },
      "Settings",
      "warning",
      /JSON_MAX_RETRIES/,
      0,
    ],
    ["Firecrawl", { GEMINI_API_KEY: "k", FIRECRAWL_API_KEY: "fc" }, "Firecrawl", "ok", /used for/, 0],
    ["a proxy", { GEMINI_API_KEY: "k", HTTPS_PROXY: "http://p:1" }, "Proxy", "warning", /proxy/, 0],
    ["no prompts", { GEMINI_API_KEY: "k", GEMINI_PROMPTS_DIR: "/nowhere" }, "Prompts", "warning", /\S/, 0],
  ])("%s", async (_what, env, name, status, summary, code) => {
    const result = await examined(env);
    expect(result.of(name)).toMatchObject([{ status, summary: expect.stringMatching(summary) }]);
    expect(result.code).toBe(code);
    expect(result.ok).toBe(code === 0);
  });

  test("a Google login: works for licences alone since June 2026, and only when somebody is logged in", async () => {
    await mkdir(join(home, ".gemini"), { recursive: true });
    await writeFile(
      join(home, ".gemini/settings.json"),
      '{ "security": { "auth": { "selectedType": "oauth-personal" } } }',
    );
    expect((await examined()).of("Sign-in")).toMatchObject([
      { status: "failed", summary: expect.stringMatching(/nobody is logged in/) },
    ]);
    await writeFile(join(home, ".gemini/oauth_creds.json"), "{}");
    const { code, of } = await examined();
    expect(of("Sign-in")).toMatchObject([{ status: "warning", fix: expect.stringMatching(/18 June 2026/) }]);
    expect(code).toBe(0);
  });

  test("a key that the CLI reads from its own file", async () => {
    await mkdir(join(home, ".gemini"), { recursive: true });
    await writeFile(join(home, ".gemini/.env"), "GEMINI_API_KEY=secret-key\n");
    const { of, text: shown } = await examined();
    expect(of("Sign-in")).toMatchObject([{ status: "ok", summary: "API key from the CLI's .env file" }]);
    expect((await examined({ GEMINI_API_KEY: "" })).of("Sign-in")).toEqual(of("Sign-in"));
    expect(shown).not.toContain("secret-key");
  });

  test("an old Node, rules of an administrator, a folder that others may write to", async () => {
    const policies = join(home, "policies");
    await mkdir(policies);
    await writeFile(join(policies, "corp.toml"), "");
    await mkdir(join(home, ".config/gemini-research"), { recursive: true });
    await chmod(join(home, ".config/gemini-research"), 0o777);
    const { code, of } = await examined({ GEMINI_API_KEY: "k" }, { nodeVersion: "18.20.0", policyDirs: [policies] });
    expect(of("Node.js")).toMatchObject([{ status: "failed", fix: expect.stringContaining("20.19") }]);
    expect(of("Tool policy")).toMatchObject([{ status: "warning", summary: expect.stringContaining("corp.toml") }]);
    expect(of("Folder")).toMatchObject([{ status: "warning", fix: expect.stringContaining("chmod go-w") }]);
    expect(code).toBe(1);
  });

  test("--live asks the model one short question", async () => {
    const model = await startModelServer({ scenario: (call) => (call.kind === "main" ? text("ready") : undefined) });
    try {
      const GEMINI_CLI_PATH = new URL("../../node_modules/@google/gemini-cli/bundle/gemini.js", import.meta.url)
        .pathname;
      const { code, out } = await run(["doctor", "--live"], { env: { ...model.env, GEMINI_CLI_PATH } });
      expect(out).toMatch(/✓ Live answer +gemini-\S+ answered in /);
      expect(code).toBe(0);
      expect(model.requests.filter((call) => call.kind === "main")).toHaveLength(1);
    } finally {
      await model.close();
    }
  });
});
