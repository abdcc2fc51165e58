import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLIENTS, type Client, type ClientName } from "../../../src/cli/setup/client.js";
import { describeClient } from "../../../src/cli/setup/clients.js";
import { planChange, writeChange } from "../../../src/cli/setup/config-file.js";

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "setup-")));
});
afterEach(() => rm(home, { recursive: true }));

function client(name: ClientName, more: { env?: Record<string, string>; project?: boolean } = {}): Client {
  const found = describeClient(name, {
    host: { platform: "linux", homeDir: home, cwd: join(home, "project"), pid: 1 },
    env: more.env ?? {},
    variables: {},
    project: more.project ?? false,
  });
  if (found === undefined) throw new Error(`${name} has no configuration`);
  return found;
}

const entryOf = (text: string, { format, path: [group, name] }: Client) => {
  const value = format === "toml" ? parseToml(text) : parseJsonc(text);
  return (value as Record<string, Record<string, Record<string, unknown>>>)[group]?.[name];
};

describe.each(CLIENTS)("%s", (name) => {
  test("a new file holds the entry, and a second time nothing changes", async () => {
    const target = client(name);
    const change = await planChange(target);
    expect(await writeChange(change)).toBeUndefined();
    const text = await readFile(change.file, "utf8");
    expect(entryOf(text, target)).toEqual(target.entry);
    expect(target.entry).toMatchObject({ command: "npx", args: ["-y", "@x/mcp-server"] });
    expect((await stat(change.file)).mode & 0o777).toBe(0o600);
    const again = await planChange(target);
    expect(again.after).toBe(again.before);
  });
});

test("the limits that each client understands are raised, and the server answers before they end", () => {
  const limits = (name: ClientName) => {
    const { env, timeout, startup_timeout_sec, tool_timeout_sec } = client(name).entry;
    return JSON.parse(JSON.stringify({ wait: env?.["MAX_WAIT_MS"], timeout, startup_timeout_sec, tool_timeout_sec }));
  };
  expect(limits("codex")).toEqual({ wait: "1740000", startup_timeout_sec: 60, tool_timeout_sec: 1800 });
  expect(limits("gemini")).toEqual({ wait: "1740000", timeout: 1_800_000 });
  expect(limits("cline")).toEqual({ wait: "1740000", timeout: 1800 });
  expect(limits("zed")).toEqual({ wait: "540000", timeout: 600 });
  for (const name of ["claude-code", "claude-desktop", "vscode", "cursor", "windsurf"] as const)
    expect(limits(name)).toEqual({});
});

test("programs of the desktop do not see the shell's variables", () => {
  const seeing = CLIENTS.filter((name) => client(name).seesShell);
  expect(seeing).toEqual(["claude-code", "codex", "gemini"]);
});

test("Codex is told the names of the variables to pass on, never a value", () => {
  const entry = client("codex", { env: { GEMINI_API_KEY: "secret-key" } }).entry;
  expect(entry.env_vars).toEqual(expect.arrayContaining(["GEMINI_API_KEY", "RESEARCH_ROOTS", "MCP_SERVER_TOOLS"]));
  expect(JSON.stringify(entry)).not.toContain("secret-key");
});

test("the page on clients and the plugin tell Codex the same names", async () => {
  const read = (path: string) => readFile(new URL(`../../../../../${path}`, import.meta.url), "utf8");
  const { env_vars: names } = client("codex").entry;
  const [, entry = ""] = /### Codex\n\n```toml\n(.*?)```/s.exec(await read("docs/clients.md")) ?? [];
  expect(entryOf(entry, client("codex"))?.["env_vars"]).toEqual(names);
  const plugin = JSON.parse(await read("plugins/x-research/codex-mcp.json"));
  expect(plugin.mcpServers.research.env_vars).toEqual(names);
});

test("Gemini CLI is told to fill in the variables that are set, never their values", () => {
  const { entry } = client("gemini", { env: { GEMINI_API_KEY: "secret-key" } });
  expect(entry.env).toEqual({ GEMINI_API_KEY: "$GEMINI_API_KEY", MAX_WAIT_MS: "1740000" });
});

test.each(["", "relative"])("an XDG_CONFIG_HOME that is no absolute path (%j) is ignored", (XDG_CONFIG_HOME) => {
  const { files } = client("claude-desktop", { env: { XDG_CONFIG_HOME } });
  expect(files).toEqual([join(home, ".config", "Claude", "claude_desktop_config.json")]);
});

test("on Windows the command goes through cmd, and files stand under AppData", () => {
  const found = describeClient("claude-desktop", {
    host: { platform: "win32", homeDir: "C:\\Users\\me", cwd: "C:\\", pid: 1 },
    env: { APPDATA: "C:\\Users\\me\\AppData\\Roaming" },
    variables: {},
  });
  expect(found?.files[0]).toBe("C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json");
  expect(found?.entry).toMatchObject({ command: "cmd", args: ["/c", "npx", "-y", "@x/mcp-server"] });
});

test("comments, order and indentation of a JSON file stay", async () => {
  const target = client("zed");
  const [file] = target.files;
  await mkdir(join(file, ".."), { recursive: true });
  const before = `// mine
{
\t"theme": "One Dark", // keep
\t"context_servers": {
\t\t// theirs
\t\t"other": {
\t\t\t"args": [],
\t\t},
\t},
}
`;
  await writeFile(file, before);
  await chmod(file, 0o640);
  const backup = await writeChange(await planChange(target));
  const after = await readFile(file, "utf8");
  expect(after).toContain('\t"theme": "One Dark", // keep\n');
  expect(after).toContain('\t\t// theirs\n\t\t"other": {\n\t\t\t"args": [],\n\t\t},');
  expect(after).toMatch(/\n\t\t"research": \{\n\t\t\t"command": "npx",/);
  expect(entryOf(after, target)).toEqual(target.entry);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(backup).toBe(`${file}.x-research.bak`);
  expect(await readFile(backup as string, "utf8")).toBe(before);
});

test.each([
  [
    "a file of one line",
    '{"mcpServers":{"a":{"command":"x","args":["1","2"]}},"z":1}',
    '{"mcpServers":{"a":{"command":"x","args":["1","2"]}, "research": { "command": "npx", "args": ["-y", "@x/mcp-server"] }},"z":1}',
  ],
  [
    "a neighbour in one line, and remarks",
    '{\n  "a": [1,2], // keep\n  "mcpServers": {\n    "fs": {"command": "x"} // theirs\n  }\n}\n',
    '{\n  "a": [1,2], // keep\n  "mcpServers": {\n    "fs": {"command": "x"}, // theirs\n    "research": {\n      "command": "npx",\n      "args": ["-y", "@x/mcp-server"]\n    }\n  }\n}\n',
  ],
  [
    "no servers yet, with Windows' line ends",
    '{\r\n\t"x": {"y":1}\r\n}\r\n',
    '{\r\n\t"x": {"y":1},\r\n\t"mcpServers": {\r\n\t\t"research": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "@x/mcp-server"]\r\n\t\t}\r\n\t}\r\n}\r\n',
  ],
])("not one blank of the neighbours changes: %s", async (_what, before, after) => {
  const target = client("cursor");
  await mkdir(join(target.files[0], ".."), { recursive: true });
  await writeFile(target.files[0], before);
  expect((await planChange(target)).after).toBe(after);
});

test("one copy of what was there before, not one a time", async () => {
  const target = client("cursor");
  await mkdir(join(target.files[0], ".."), { recursive: true });
  for (const before of ['{ "first": 1 }', '{ "second": 2 }']) {
    await writeFile(target.files[0], before);
    const backup = await writeChange(await planChange(target));
    expect(await readFile(backup as string, "utf8")).toBe(before);
  }
  expect(await readdir(join(home, ".cursor"))).toEqual(["mcp.json", "mcp.json.x-research.bak"]);
});

test("a second setup leaves the copy of what was there before the server", async () => {
  const before = '{ "first": 1 }';
  const target = client("cursor");
  await mkdir(join(target.files[0], ".."), { recursive: true });
  await writeFile(target.files[0], before);
  await writeChange(await planChange(target));
  const given = { ...target, given: { GEMINI_MODEL: "another" } };
  const backup = await writeChange(await planChange(given));
  expect(await readFile(target.files[0], "utf8")).toContain("another");
  expect(await readFile(backup as string, "utf8")).toBe(before);
  await rm(backup as string);
  const last = await readFile(target.files[0], "utf8");
  await writeChange(await planChange({ ...target, given: { GEMINI_MODEL: "a third" } }));
  expect(await readFile(backup as string, "utf8"), "a file that has no copy any more gets one").toBe(last);
});

test("a copy that somebody else made stays as it is", async () => {
  const target = client("cursor");
  const [file] = target.files;
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, '{ "mine": 2 }');
  await writeFile(`${file}.bak`, '{ "mine": 1 }');
  const backup = await writeChange(await planChange(target));
  expect(await readFile(`${file}.bak`, "utf8")).toBe('{ "mine": 1 }');
  expect(await readFile(backup as string, "utf8")).toBe('{ "mine": 2 }');
});

test("a folder that cannot be written is the one that is named", async () => {
  await mkdir(join(home, ".cursor"));
  const change = await planChange(client("cursor"));
  await rm(join(home, ".cursor"), { recursive: true });
  await writeFile(join(home, ".cursor"), "a file");
  await expect(writeChange(change)).rejects.toThrow(`${home}/.cursor/mcp.json cannot be`);
});

test("what the person set in an entry of ours stays", async () => {
  const target = client("gemini");
  const [file] = target.files;
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(
    file,
    `{ "mcpServers": { "research": {
      "command": "old", // from last year
      "env": { "GEMINI_MODEL": "pro" },
      "timeout": 900000, "trust": true } } }`,
  );
  const { after } = await planChange(target);
  expect(entryOf(after, target)).toEqual({
    command: "npx",
    args: ["-y", "@x/mcp-server"],
    env: { GEMINI_MODEL: "pro", MAX_WAIT_MS: "1740000" },
    timeout: 900_000,
    trust: true,
  });
  expect(after).toContain("// from last year");
});

describe("Codex's TOML", () => {
  const MINE = `# my settings
model = "gpt-5" # the good one

[mcp_servers.other]
command = "other"

[profiles.fast]
model = "o4-mini"
`;
  async function codex(text: string) {
    const target = client("codex");
    await mkdir(join(home, ".codex"), { recursive: true });
    await writeFile(target.files[0], text);
    return { target, change: await planChange(target) };
  }

  test("a session does not fail with the server: nothing says that it is required", async () => {
    const { change } = await codex(MINE);
    expect(change.after).not.toMatch(/required/);
  });

  test("a table is added behind everything else", async () => {
    const { target, change } = await codex(MINE);
    expect(change.after.startsWith(MINE)).toBe(true);
    expect(change.after).toContain("\n[mcp_servers.research]\n");
    expect(entryOf(change.after, target)).toEqual(target.entry);
  });

  test("in an older table of ours the lines that differ are written, and no others", async () => {
    const old = `[mcp_servers."research"]
command = "npx"   # found on PATH
tool_timeout_sec = 900
env_vars = ["MY_VARIABLE"]
args = [ "old" ]

[mcp_servers.research.env]
GEMINI_MODEL = "pro"

`;
    const slow = `# for tests\n[profiles.slow]\nmodel = "o3"\n`;
    const { target, change } = await codex(`${MINE}\n${old}${slow}`);
    const start = `${MINE}\n[mcp_servers."research"]\ncommand = "npx"   # found on PATH\ntool_timeout_sec = 900\nenv_vars = [`;
    expect(change.after.startsWith(start)).toBe(true);
    expect(change.after).toContain(
      '\nargs = [ "-y", "@x/mcp-server" ]\nstartup_timeout_sec = 60\n\n[mcp_servers.research.env]\n',
    );
    expect(change.after.endsWith(`GEMINI_MODEL = "pro"\nMAX_WAIT_MS = "1740000"\n\n${slow}`)).toBe(true);
    expect(entryOf(change.after, target)).toMatchObject({
      command: "npx",
      tool_timeout_sec: 900,
      env: { GEMINI_MODEL: "pro", MAX_WAIT_MS: "1740000" },
    });
    expect(entryOf(change.after, target)?.["env_vars"]).toContain("MY_VARIABLE");
    await writeChange(change);
    const again = await planChange(target);
    expect(again.after).toBe(again.before);
  });

  test("a list over several lines is written anew, with its table", async () => {
    const { target, change } = await codex(`[mcp_servers.research]\nargs = [\n  "a",\n]\n[x]\ny = 1\n`);
    expect(entryOf(change.after, target)).toEqual(target.entry);
    expect(change.after.startsWith("[x]\ny = 1\n")).toBe(true);
  });

  test("what cannot be changed by lines is refused, not damaged", async () => {
    await expect(codex(`mcp_servers = { research = { command = "x" } }\n`)).rejects.toThrow(
      /config\.toml: .*cannot be changed without losing something/,
    );
  });

  test("dates, arrays of tables and strings with brackets survive", async () => {
    const { change } = await codex(
      `since = 2026-01-01\ntext = """\n[mcp_servers.fake]\n"""\n[[list]]\na = 1\n[[list]]\na = 2\n`,
    );
    expect(parseToml(change.after)).toMatchObject({ text: "[mcp_servers.fake]\n", list: [{ a: 1 }, { a: 2 }] });
  });
});

test.each([
  ["broken JSON", "cursor", '{\n  "mcpServers": {\n', /mcp\.json: line \d+ is not JSON/],
  ["a list", "cursor", "[]", /does not hold an object/],
  ["servers that are no object", "cursor", '{"mcpServers": []}', /"mcpServers" is not an object/],
  ["broken TOML", "codex", "a = [", /config\.toml: line \d+ is not TOML/],
] as const)("%s is left alone, with a word on what is wrong", async (_what, name, text, message) => {
  const target = client(name);
  await mkdir(join(target.files[0], ".."), { recursive: true });
  await writeFile(target.files[0], text);
  await expect(planChange(target)).rejects.toThrow(message);
});

test("a link to a file elsewhere stays a link", async () => {
  const target = client("claude-code");
  await writeFile(join(home, "dotfile.json"), "{}");
  await symlink(join(home, "dotfile.json"), target.files[0]);
  await writeChange(await planChange(target));
  expect(entryOf(await readFile(join(home, "dotfile.json"), "utf8"), target)).toEqual(target.entry);
  expect(await realpath(target.files[0])).toBe(join(home, "dotfile.json"));
});

test("a file that another program changed meanwhile is not overwritten", async () => {
  const target = client("claude-code");
  await writeFile(target.files[0], "{}");
  const change = await planChange(target);
  await writeFile(target.files[0], '{"theirs": 1}');
  await expect(writeChange(change)).rejects.toThrow(/changed by another program/);
  expect(await readFile(target.files[0], "utf8")).toBe('{"theirs": 1}');
  expect(await readdir(home)).toEqual([".claude.json"]);
});

test("Cline's older place is used when only that is there", async () => {
  const target = client("cline");
  const [, older] = target.files;
  await mkdir(join(older as string, ".."), { recursive: true });
  await writeFile(older as string, "{}");
  expect((await planChange(target)).file).toBe(older);
});

test("a project has its own file, where the client knows one", () => {
  expect(client("vscode", { project: true }).files).toEqual([join(home, "project/.vscode/mcp.json")]);
  expect(() => client("claude-desktop", { project: true })).toThrow();
});
