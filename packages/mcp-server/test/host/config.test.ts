import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/host/config.js";
import type { Host } from "../../src/host/io.js";

const linux: Host = { platform: "linux", homeDir: "/home/ada", cwd: "/srv", pid: 1 };
const parse = (env: Record<string, string | undefined>, host = linux) => parseConfig(env, host);

test("an empty environment gives the defaults and no problem [deep-search/default-rounds]", () => {
  expect(parse({})).toEqual({
    problems: [],
    config: {
      model: undefined,
      correctionModel: undefined,
      maxRounds: 5,
      timeoutMs: 300_000,
      configDir: "/home/ada/.config/gemini-research",
      cliPath: "gemini",
      attempts: 3,
      pages: "auto",
      userAgent: undefined,
      robots: true,
      archive: "https://archive.org/wayback/available",
      firecrawl: undefined,
      systemPrompt: undefined,
      promptsDir: undefined,
      maxWaitMs: undefined,
      http: { host: "127.0.0.1", port: 3000, token: undefined, tokensFile: undefined, oauth: undefined, limits: {} },
      prices: undefined,
      tools: undefined,
      keepMs: 604_800_000,
      debug: false,
      logFormat: "text",
      origins: new Map(),
    },
  });
});

test("every variable is read [deep-search/custom-rounds]", () => {
  const { config, problems } = parse({
    GEMINI_MODEL: "gemini-2.5-pro",
    GEMINI_CORRECTION_MODEL: "flash-lite",
    DEEP_SEARCH_MAX_ITERATIONS: "7",
    GEMINI_SEARCH_TIMEOUT: " 1000 ",
    GEMINI_SEARCH_CONFIG_DIR: "~/mine",
    GEMINI_CLI_PATH: "./bin/gemini",
    JSON_MAX_RETRIES: "4",
    GEMINI_RESEARCH_PAGES: "own",
    GEMINI_RESEARCH_USER_AGENT: "AdasReader/1.0 (ada@example.org)",
    GEMINI_RESEARCH_ROBOTS: "FALSE",
    GEMINI_RESEARCH_ARCHIVE: "None",
    FIRECRAWL_API_KEY: "fc-1",
    FIRECRAWL_API_URL: "http://localhost:3002",
    GEMINI_SYSTEM_PROMPT: "About {topic}",
    GEMINI_PROMPTS_DIR: "prompts",
    MAX_WAIT_MS: "0",
    MCP_SERVER_HOST: "::1",
    MCP_SERVER_PORT: "0",
    MCP_SERVER_TOKEN: "secret",
    RESEARCH_PRICES: "gemini-3=0.3/2.5, * = 1/8",
    MCP_SERVER_TOOLS: "research_result, search",
    RESEARCH_KEEP_DAYS: "30",
    MCP_SERVER_TOKENS: "/srv/tokens.json",
    MCP_SERVER_OAUTH_ISSUER: "https://id.example",
    MCP_SERVER_OAUTH_AUDIENCE: "https://research.example/mcp",
    MCP_SERVER_LIMITS: "running=2, queued=0,per_minute=60,kept=200",
    DEBUG: "true",
    LOG_FORMAT: "JSON",
  });
  expect(problems).toEqual([]);
  expect(config).toEqual({
    model: "gemini-2.5-pro",
    correctionModel: "flash-lite",
    maxRounds: 7,
    timeoutMs: 1000,
    configDir: "/home/ada/mine",
    cliPath: "/srv/bin/gemini",
    attempts: 4,
    pages: "own",
    userAgent: "AdasReader/1.0 (ada@example.org)",
    robots: false,
    archive: null,
    firecrawl: { apiKey: "fc-1", apiUrl: "http://localhost:3002" },
    systemPrompt: "About {topic}",
    promptsDir: "/srv/prompts",
    maxWaitMs: 0,
    http: {
      ...{ host: "::1", port: 0, token: "secret", tokensFile: "/srv/tokens.json" },
      oauth: { issuer: "https://id.example", audience: "https://research.example/mcp" },
      limits: { running: 2, queued: 0, perMinute: 60, kept: 200 },
    },
    prices: { "gemini-3": { input: 0.3, output: 2.5 }, "*": { input: 1, output: 8 } },
    tools: ["search", "research_result"],
    keepMs: 2_592_000_000,
    debug: true,
    logFormat: "json",
    origins: expect.any(Map),
  });
});

test("what says a setting is known: a variable by its older name, or a place in the config file", () => {
  const file = { path: "/c/config.json", entries: new Map([["model", { text: "pro", line: 2 }]]), problems: [] };
  const env = { GEMINI_RESEARCH_TIMEOUT: "900", JSON_MAX_RETRIES: "many" };
  expect(parseConfig(env, linux, file).config.origins).toEqual(
    new Map([
      ["GEMINI_MODEL", { name: "model in /c/config.json", key: "model" }],
      ["GEMINI_SEARCH_TIMEOUT", { name: "GEMINI_RESEARCH_TIMEOUT" }],
    ]),
  );
});

describe("a value that cannot be read is named with what was expected, and the default is used", () => {
  test.each([
    ["GEMINI_SEARCH_TIMEOUT", "5m", "timeoutMs", 300_000],
    ["GEMINI_SEARCH_TIMEOUT", "abc", "timeoutMs", 300_000],
    ["GEMINI_SEARCH_TIMEOUT", "-1", "timeoutMs", 300_000],
    ["GEMINI_SEARCH_TIMEOUT", "0", "timeoutMs", 300_000],
    ["GEMINI_SEARCH_TIMEOUT", "1e5", "timeoutMs", 300_000],
    ["GEMINI_SEARCH_TIMEOUT", "2147483648", "timeoutMs", 300_000],
    ["GEMINI_RESEARCH_TIMEOUT", "soon", "timeoutMs", 300_000],
    ["DEEP_SEARCH_MAX_ITERATIONS", "many", "maxRounds", 5],
    ["DEEP_SEARCH_MAX_ITERATIONS", "2.5", "maxRounds", 5],
    ["JSON_MAX_RETRIES", "0", "attempts", 3],
    ["JSON_MAX_RETRIES", "-1", "attempts", 3],
    ["GEMINI_RESEARCH_PAGES", "mine", "pages", "auto"],
    ["GEMINI_RESEARCH_USER_AGENT", "a\r\nb: c", "userAgent", undefined],
    ["GEMINI_RESEARCH_ROBOTS", "sometimes", "robots", true],
    ["GEMINI_RESEARCH_ARCHIVE", "archive.org", "archive", "https://archive.org/wayback/available"],
    ["MAX_WAIT_MS", "-1", "maxWaitMs", undefined],
    ["GEMINI_MODEL", "--yolo", "model", undefined],
    ["GEMINI_CORRECTION_MODEL", "a b", "correctionModel", undefined],
    ["GEMINI_CLI_PATH", "-c", "cliPath", "gemini"],
    ["FIRECRAWL_API_URL", "localhost", "firecrawl", undefined],
    ["MCP_SERVER_TOOLS", "search,shell", "tools", undefined],
    ["RESEARCH_PRICES", "gemini-3=cheap", "prices", undefined],
    ["RESEARCH_KEEP_DAYS", "forever", "keepMs", 604_800_000],
    ["DEBUG", "express:*", "debug", false],
  ] as const)("%s=%j", (name, value, key, fallback) => {
    const { config, problems } = parse({ [name]: value });
    expect(config[key]).toEqual(fallback);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} .*: expected .+; using .+$`))]);
  });

  test("a bad port, host and token", () => {
    const { config, problems } = parse({ MCP_SERVER_PORT: "65536", MCP_SERVER_HOST: "a/b", MCP_SERVER_TOKEN: "a b" });
    const accessProblem = expect.stringMatching(/^MCP_SERVER_TOKEN holds a blank: expected /);
    expect(config.http).toMatchObject({ host: "127.0.0.1", port: 3000, token: undefined, accessProblem });
    expect(problems).toHaveLength(3);
  });

  test("a secret is never printed", () => {
    const { problems } = parse({ MCP_SERVER_TOKEN: "hunter 2", FIRECRAWL_API_URL: "user:hunter2@host" });
    expect(problems.join()).not.toContain("hunter");
  });
});

test.each(["1", "0", "-1"])(
  "DEEP_SEARCH_MAX_ITERATIONS=%s counts as 2, and that is said [deep-search/min-rounds]",
  (value) => {
    const problem = `DEEP_SEARCH_MAX_ITERATIONS is "${value}": expected a whole number of rounds, at least 2; using 2`;
    expect(parse({ DEEP_SEARCH_MAX_ITERATIONS: value })).toMatchObject({
      config: { maxRounds: 2 },
      problems: [problem],
    });
  },
);

test("an empty value counts as unset", () => {
  const names = ["GEMINI_MODEL", "DEEP_SEARCH_MAX_ITERATIONS", "GEMINI_SEARCH_CONFIG_DIR", "MCP_SERVER_PORT", "DEBUG"];
  expect(parse(Object.fromEntries(names.map((name, at) => [name, " ".repeat(at % 2)])))).toEqual(parse({}));
  expect(parse({ GEMINI_SEARCH_TIMEOUT: "", GEMINI_RESEARCH_TIMEOUT: "7" }).config.timeoutMs).toBe(7);
});

/** As a desktop bundle hands over what the person left empty. */
const UNFILLED = "$".concat("{user_config.token}");

test("a token that was meant to be one and is none is no unset token; an empty one is", () => {
  for (const value of [
    " ",
    UNFILLED,
    "a b",
    "日本語日本語日本語日本語",
    "\u200btoken1234567890123",
    "token\u0001567890123",
    "ünïcödé-tøken-12345",
  ]) {
    expect(parse({ MCP_SERVER_TOKEN: value }).config.http).toMatchObject({ accessProblem: expect.any(String) });
  }
  expect(parse({ MCP_SERVER_TOKEN: "" }).config.http).not.toHaveProperty("accessProblem");
});

test("the older names of renamed variables count, unless the newer one is set", () => {
  const older = { GEMINI_RESEARCH_TIMEOUT: "1", GEMINI_RESEARCH_CONFIG_DIR: "/old" };
  expect(parse(older).config).toMatchObject({ timeoutMs: 1, configDir: "/old" });
  expect(parse({ ...older, GEMINI_SEARCH_TIMEOUT: "2", GEMINI_SEARCH_CONFIG_DIR: "/new" }).config).toMatchObject({
    timeoutMs: 2,
    configDir: "/new",
  });
});

test("a field that a desktop bundle left unfilled counts as unset", () => {
  expect(parse({ GEMINI_MODEL: `$${"{user_config.model}"}` })).toMatchObject({
    problems: [],
    config: { model: undefined },
  });
});

test.each<[Partial<Host>, Record<string, string>, string]>([
  [{}, { XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/gemini-research"],
  [{}, { XDG_CONFIG_HOME: "relative" }, "/home/ada/.config/gemini-research"],
  [{}, { XDG_CONFIG_HOME: "" }, "/home/ada/.config/gemini-research"],
  [{ platform: "darwin", homeDir: "/Users/ada" }, {}, "/Users/ada/Library/Application Support/gemini-research"],
  [{ platform: "win32", homeDir: "C:\\Users\\ada" }, {}, "C:\\Users\\ada\\AppData\\Roaming\\gemini-research"],
  [{ platform: "win32", homeDir: "C:\\Users\\ada" }, { APPDATA: "D:\\Roaming" }, "D:\\Roaming\\gemini-research"],
])("the config directory of the platform: %j %j", (host, env, dir) => {
  expect(parse(env, { ...linux, ...host }).config.configDir).toBe(dir);
});

test.each<[Record<string, string>, RegExp]>([
  [{ MCP_SERVER_TOKENS: "  " }, /^MCP_SERVER_TOKENS is set, but holds nothing/],
  [{ MCP_SERVER_OAUTH_ISSUER: "https://id.example" }, /ISSUER is set without MCP_SERVER_OAUTH_AUDIENCE/],
  [{ MCP_SERVER_OAUTH_AUDIENCE: "a" }, /AUDIENCE is set without MCP_SERVER_OAUTH_ISSUER/],
  [{ MCP_SERVER_LIMITS: " " }, /^MCP_SERVER_LIMITS is set, but holds nothing/],
  ...[
    "running",
    "running=",
    "running=-1",
    "runing=1",
    "running=1,",
    "running=1=2",
    "running=1,running=2",
    "toString=1",
  ].map((limits): [Record<string, string>, RegExp] => [
    { MCP_SERVER_LIMITS: limits },
    /^MCP_SERVER_LIMITS is .*expected such as running=2,/,
  ]),
  [{ MCP_SERVER_OAUTH_ISSUER: "http://id.example", MCP_SERVER_OAUTH_AUDIENCE: "a" }, /expected an https URL/],
])("what says who may come in and cannot be used is a reason not to serve: %j", (env, reason) => {
  const { config, problems } = parse(env);
  expect(config.http.accessProblem).toMatch(reason);
  expect(problems).toEqual([config.http.accessProblem]);
});
