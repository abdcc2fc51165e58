import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ModelServer, research, startModelServer } from "../../src/testing/index.js";
import { CLI } from "../small-world.js";

let home: string;
let server: ModelServer;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "model-server-"));
  await mkdir(join(home, ".gemini"));
  await mkdir(join(home, "cwd"));
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    tools: { core: ["google_web_search", "web_fetch"] },
  };
  await writeFile(join(home, ".gemini/settings.json"), JSON.stringify(settings));
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

interface CliEvent {
  type: string;
  role?: string;
  content?: string;
  tool_name?: string;
  status?: string;
  stats?: { models: Record<string, unknown> };
}

/** The CLI as it is, without the runner. */
async function gemini(prompt: string, ...args: string[]): Promise<{ exitCode: number | null; events: CliEvent[] }> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [CLI, "--output-format", "stream-json", ...args], {
    cwd: join(home, "cwd"),
    env: {
      PATH,
      HOME: home,
      GEMINI_CLI_HOME: home,
      GEMINI_CLI_NO_RELAUNCH: "true",
      TMPDIR: home,
      ...server.env,
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(prompt);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const lines = out.split("\n").filter((line) => line.startsWith("{"));
  return { exitCode, events: lines.map((line) => JSON.parse(line) as CliEvent) };
}

const answerOf = (events: CliEvent[]) =>
  events
    .filter(({ type, role }) => type === "message" && role === "assistant")
    .map(({ content }) => content)
    .join("");

test("the CLI searches once, reads two pages and answers", async () => {
  server.use(research({ topic: "Tides" }));
  const { exitCode, events } = await gemini(
    "How do tides work?",
    "--model",
    "gemini-2.5-flash",
    "--approval-mode",
    "yolo",
  );
  expect(exitCode).toBe(0);
  expect(server.requests.map(({ kind, turn }) => `${kind} ${turn}`)).toEqual([
    "main 0",
    "search 0",
    "main 1",
    "fetch 0",
    "fetch 0",
    "main 2",
  ]);
  expect(new Set(server.requests.filter(({ kind }) => kind === "main").map(({ prompt }) => prompt))).toEqual(
    new Set(["How do tides work?"]),
  );
  expect(events.filter(({ type }) => type === "tool_result").map(({ status }) => status)).toEqual([
    "success",
    "success",
    "success",
  ]);
  expect(JSON.stringify(server.requests[5]?.toolResults)).toContain("The details of Tides");
  const report = JSON.parse(answerOf(events).split("```json")[1]?.split("```")[0] ?? "") as { report: string };
  expect(report).toMatchObject({ success: true, metadata: { search_queries_used: ["Tides"] } });
  expect(report.report).toContain("http://93.184.215.14/overview");
});
