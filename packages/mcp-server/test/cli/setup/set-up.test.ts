import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/main.js";
import { inOwnHome } from "../commands.js";
import { fakeIo } from "../fake-io.js";

const place = inOwnHome();

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");

test("writes for several clients and says what to do next", async () => {
  const { code, out, err } = await place.run(["setup", "claude-code", "codex", "--env", "GEMINI_MODEL=pro"]);
  expect(code).toBe(0);
  expect(out).toBe("");
  expect(err).toContain(`✓ Claude Code: wrote ${place.home}/.claude.json\n  Start a new session`);
  expect(JSON.parse(await readFile(join(place.home, ".claude.json"), "utf8"))).toEqual({
    mcpServers: {
      research: {
        type: "stdio",
        command: "npx",
        args: ["-y", "@x/mcp-server"],
        env: { GEMINI_MODEL: "pro" },
      },
    },
  });
  expect(await readFile(join(place.home, ".codex/config.toml"), "utf8")).toContain('GEMINI_MODEL = "pro"');
  expect((await place.run(["setup", "codex", "--env", "GEMINI_MODEL=pro"])).err).toContain("✓ Codex is set up already");
});

test("a variable that is given takes the place of the older one, and no other does", async () => {
  const variables = ["--env", "GEMINI_MODEL=old", "--env", "DEBUG=1"];
  await place.run(["setup", "cursor", "codex", ...variables]);
  const { code, err } = await place.run(["setup", "cursor", "codex", "--env", "GEMINI_MODEL=new"]);
  expect(code).toBe(0);
  expect(err).toContain("✓ Codex: wrote");
  const { mcpServers } = JSON.parse(await readFile(join(place.home, ".cursor/mcp.json"), "utf8"));
  expect(mcpServers.research.env).toMatchObject({ GEMINI_MODEL: "new", DEBUG: "1" });
  const codex = await readFile(join(place.home, ".codex/config.toml"), "utf8");
  expect(codex).toContain('GEMINI_MODEL = "new"');
  expect(codex).toContain('DEBUG = "1"');
});

test("a secret never goes into a project's file, a reference to one does", async () => {
  const project = ["--project", "--env", "GEMINI_API_KEY=k1", "--env", "GEMINI_MODEL=pro"];
  const { code, err } = await place.run(["setup", "cursor", ...project]);
  expect(code).toBe(2);
  expect(err).toContain("✗ A secret does not go into a file of the project: GEMINI_API_KEY.");
  expect(inOneLine(err)).toContain(`Put it into ${place.home}/.gemini/.env instead`);
  await expect(readFile(join(place.home, ".cursor/mcp.json"))).rejects.toThrow("ENOENT");
  const reference = ["--project", "--env", `GEMINI_API_KEY=${"$"}{GEMINI_API_KEY}`];
  expect(await place.run(["setup", "claude-code", ...reference])).toMatchObject({ code: 0 });
  expect(await readFile(join(place.home, ".mcp.json"), "utf8")).toContain("{GEMINI_API_KEY}");
});

test.each([
  "GEMINI_CLI_CUSTOM_HEADERS=Authorization: x",
  "HTTPS_PROXY=http://u:pw@p:1",
  "MCP_SERVER_QUEUE=redis://:pw@host",
  "FIRECRAWL_API_URL=https://host/v1?token=abc",
  "EXTRA=Bearer abcdefgh",
  "NOTE=AIzaSyA1234567890",
  "DB_PWD=x",
])("a secret under another name goes into no project's file: %s", async (variable) => {
  const { code, err } = await place.run(["setup", "cursor", "--project", "--env", variable]);
  expect(code).toBe(2);
  expect(err).toContain(`A secret does not go into a file of the project: ${variable.split("=")[0]}.`);
  await expect(readFile(join(place.home, ".cursor/mcp.json"))).rejects.toThrow("ENOENT");
});

test.each(["HTTPS_PROXY=http://p:1", "GOOGLE_APPLICATION_CREDENTIALS=/k.json", "GEMINI_MODEL=pro"])(
  "what is no secret goes into it: %s",
  async (variable) => {
    expect(await place.run(["setup", "cursor", "--project", "--env", variable])).toMatchObject({ code: 0 });
  },
);

test("a secret in the person's own file is written, and the better place named", async () => {
  const { code, err } = await place.run(["setup", "claude-desktop", "--env", "GEMINI_API_KEY=k1"]);
  expect(code).toBe(0);
  expect(inOneLine(err)).toContain(`GEMINI_API_KEY can be read in this file. ${place.home}/.gemini/.env would serve`);
  const { err: without } = await place.run(["setup", "windsurf"]);
  expect(inOneLine(without)).toContain("does not see your shell's variables: an API key belongs into");
});

test("of Cline's two files it writes that of the one that is here, and names the other", async () => {
  const cli = join(place.home, ".cline/data/settings/cline_mcp_settings.json");
  const extension = join(place.home, ".config/Code/User/globalStorage/saoudrizwan.claude-dev");
  const ofExtension = join(extension, "settings/cline_mcp_settings.json");
  await mkdir(extension, { recursive: true });
  const first = inOneLine((await place.run(["setup", "cline"])).err);
  expect(first).toContain(`✓ Cline: wrote ${ofExtension}`);
  expect(first).toContain(
    `That is the file of its extension for VS Code. Its CLI has another, which was not changed: ${cli}. \`x-research setup cline --print\` shows what to put there.`,
  );
  await mkdir(join(cli, ".."), { recursive: true });
  await writeFile(cli, "{}");
  const second = inOneLine((await place.run(["setup", "cline"])).err);
  expect(second).toContain(`✓ Cline: wrote ${cli}`);
  expect(second).toContain(
    `That is the file of its CLI. Its extension for VS Code has another, which was not changed: ${ofExtension}.`,
  );
  expect(inOneLine((await place.run(["setup", "cline"])).err)).toContain("Its extension for VS Code has another");
  expect((await place.run(["setup", "cursor"])).err).not.toContain("has another");
  const printed = await place.run(["setup", "cline", "--print"]);
  expect(printed.err).toContain(`Put this into ${cli} (CLI) or ${ofExtension} (extension for VS Code)\n`);
});

test("a client that is not found is written for, and that is said", async () => {
  const env = { PATH: "" };
  const { code, err } = await place.run(["setup", "zed"], { env });
  expect(code).toBe(0);
  expect(err).toContain(`✓ Zed: wrote ${place.home}/.config/zed/settings.json`);
  expect(inOneLine(err)).toContain("Zed was not found here: it reads the file once it is installed.");
  await mkdir(join(place.home, ".cursor"));
  expect((await place.run(["setup", "cursor"], { env })).err).not.toContain("not found");
});

test("without a name it tells which clients are installed, and which are done", async () => {
  await mkdir(join(place.home, ".cursor"));
  await writeFile(join(place.home, ".claude.json"), "{ no json");
  await place.run(["setup", "codex"]);
  const { code, out, err } = await place.run(["setup"], { env: { PATH: "" } });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("✓ Codex           set up already\n");
  expect(out).toContain("› Cursor          installed, not set up: `x-research setup cursor`\n");
  expect(out).toContain("  Zed             not found\n");
  expect(out).toContain(
    "`x-research setup <client>` adds the server to one of them, also to one that is not found: it reads the file once it is installed.\n",
  );
  expect(out).toMatch(/✗ Claude Code {5}.*\.claude\.json: line 1 is not JSON/);
});

test("without a name it sees the project of the current folder, and clients that are set up by hand", async () => {
  const project = join(place.home, "project");
  await mkdir(join(place.home, ".copilot"), { recursive: true });
  await mkdir(project);
  const there = async (argv: string[]) => {
    const { io, out } = fakeIo({ home: place.home, env: { PATH: "" } });
    await main(argv, { ...io, host: { ...io.host, cwd: project } });
    return out();
  };
  await there(["setup", "vscode", "--project"]);
  await writeFile(
    join(project, "opencode.json"),
    '{ "mcp": { "web": { "command": ["npx", "-y", "@x/mcp-server"] } } }',
  );
  const out = await there(["setup"]);
  expect(out).toContain(`✓ VS Code         set up already, for this project in ${project}/.vscode/mcp.json\n`);
  // What `setup` does not take stands apart.
  const [before = "", byHand = ""] = out.split("By hand alone:\n");
  expect(byHand).toContain(`✓ opencode        set up already (${project}/opencode.json)\n`);
  expect(byHand).toContain(`› Copilot CLI     installed, not set up: in ${place.home}/.copilot/mcp-config.json\n`);
  expect(byHand).toContain("  Qwen Code       not found\n");
  expect(byHand).toMatch(/\nWhat to write there: \S+\/clients\.md#by-hand\n$/);
  expect(before).toContain("`x-research setup <client>` adds the server to one of them");
});

test("in a terminal the clients that are here and set up by hand are named before the choice", async () => {
  await mkdir(join(place.home, ".copilot"));
  const { io, err, interrupt } = fakeIo({
    home: place.home,
    env: { PATH: "", NO_COLOR: "1" },
    tty: ["stdin", "stderr"],
  });
  Object.assign(io.stdin, { setRawMode: () => io.stdin });
  // Nobody chooses.
  interrupt();
  expect(await main(["setup"], io)).toBe(130);
  expect(inOneLine(err())).toContain(
    `- Copilot CLI is set up by hand, in ${place.home}/.copilot/mcp-config.json: https://`,
  );
  expect(err()).not.toContain("Qwen Code");
});

test("a client that keeps its researches in another folder than this shell is told with both folders", async () => {
  await place.run(["setup", "claude-code", "--env", "GEMINI_SEARCH_CONFIG_DIR=/srv/team"]);
  await place.run(["setup", "cursor"]);
  const other = (await place.run(["setup"], { env: { PATH: "" } })).out;
  expect(other).toMatch(
    /✓ Claude Code .*\n +keeps its researches in \/srv\/team\n +this shell looks in +\S+\/gemini-research /,
  );
  expect(other.match(/this shell looks in/g)).toHaveLength(1);
  // A program of the desktop does not see the shell's own.
  const env = { PATH: "", GEMINI_SEARCH_CONFIG_DIR: "/srv/team" };
  const same = (await place.run(["setup"], { env })).out;
  expect(same).toMatch(/✓ Claude Code +set up already\n {2}Claude Desktop/);
  expect(same).toMatch(
    /✓ Cursor +set up already\n +keeps its researches in \S+\/gemini-research\n +this shell looks in +\/srv\/team /,
  );
});

test.runIf(process.platform !== "win32")("a client that was never started is found on PATH", async () => {
  await mkdir(join(place.home, "bin"));
  await writeFile(join(place.home, "bin/claude"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(join(place.home, "bin/codex"), "no program", { mode: 0o644 });
  await mkdir(join(place.home, "bin/zed"));
  const { out } = await place.run(["setup"], { env: { PATH: join(place.home, "bin") } });
  expect(out).toContain("› Claude Code     installed, not set up: `x-research setup claude-code`\n");
  expect(out).toContain("  Codex           not found\n");
  expect(out).toContain("  Zed             not found\n");
});

test("from a checkout, clients start its file", async () => {
  const { io, err } = fakeIo({ home: place.home });
  const checkout = { ...io, checkout: "/src/packages/mcp-server/dist/bin.js" };
  expect(await main(["setup", "Cursor"], checkout)).toBe(0);
  expect(JSON.parse(await readFile(join(place.home, ".cursor/mcp.json"), "utf8"))).toEqual({
    mcpServers: { research: { command: process.execPath, args: ["/src/packages/mcp-server/dist/bin.js"] } },
  });
  expect(err()).toContain("This is a checkout: clients will start /src/packages/mcp-server/dist/bin.js.");
});

test("--print writes nothing and gives the configuration alone on stdout", async () => {
  const { code, out, err } = await place.run(["setup", "vscode", "--print"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    servers: { research: { type: "stdio", command: "npx", args: ["-y", "@x/mcp-server"] } },
  });
  expect(err).toBe(`Put this into ${place.home}/.config/Code/User/mcp.json\n`);
  await expect(readFile(join(place.home, ".config/Code/User/mcp.json"))).rejects.toThrow("ENOENT");
});

test("a configuration that cannot be read is left as it is, and the way by hand is named", async () => {
  await writeFile(join(place.home, ".claude.json"), "{ not json");
  const { code, err } = await place.run(["setup", "claude-code"]);
  expect(code).toBe(1);
  expect(err).toMatch(/✗ .*\.claude\.json: line 1 is not JSON[\s\S]*`x-research setup claude-code --print`/);
  expect(await readFile(join(place.home, ".claude.json"), "utf8")).toBe("{ not json");
});

test.each([
  [["emacs"], /it is one of claude-code, /],
  [["codex", "--env", "KEY"], /NAME=VALUE is expected/],
  [["windsurf", "--project"], /windsurf has no configuration for a single project/],
])("setup %j is wrong usage", async (args, message) => {
  const { code, err } = await place.run(["setup", ...args]);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
