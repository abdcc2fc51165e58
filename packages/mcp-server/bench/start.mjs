// How fast a host has the tools, how much memory an idle server takes and how large it is once installed: ours beside
// two published servers, in one run, round about. `node bench/start.mjs [rounds]`. Exit code 1 when ours is not ahead.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const rounds = Number(process.argv[2] ?? 15);
const PEERS = {
  "@choplin/mcp-gemini-cli": { version: "0.2.0", bin: "dist/index.js" },
  "gemini-mcp-tool": { version: "1.1.8", bin: "dist/index.js" },
};
/** What ours may be at most, as a multiple of the peer's. */
const LIMITS = {
  ms: { "@choplin/mcp-gemini-cli": 1, "gemini-mcp-tool": 0.5 },
  rssMb: { "@choplin/mcp-gemini-cli": 1 },
};
const MAX_INSTALLED_MB = 2;
const MAX_PACKAGES = 2;

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bench-start-"));
try {
  // One of the peers ends when there is no `gemini`.
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/gemini"), "#!/bin/sh\n", { mode: 0o755 });
  run("pnpm", ["pack", "--out", join(folder, "ours.tgz")], root);
  const servers = { "@x/mcp-server": install("ours", join(folder, "ours.tgz"), "@x/mcp-server", "dist/bin.js") };
  for (const [name, { version, bin }] of Object.entries(PEERS)) {
    servers[name] = install(name.replace(/\W/g, "-"), `${name}@${version}`, name, bin);
  }
  for (let round = -1; round < rounds; round++) {
    for (const server of Object.values(servers)) {
      const sample = await start(server.file);
      // The first round reads the files from the disk.
      if (round >= 0) server.samples.push(sample);
    }
  }
  report(servers);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(directory, what, name, bin) {
  const at = join(folder, directory);
  mkdirSync(at);
  run("npm", ["install", "--prefix", at, "--no-audit", "--no-fund", "--loglevel=error", what], at);
  const files = readdirSync(join(at, "node_modules"), { recursive: true }).map((file) =>
    join(at, "node_modules", file),
  );
  const bytes = files.reduce((sum, file) => sum + (statSync(file).isFile() ? statSync(file).size : 0), 0);
  const packages = Object.keys(JSON.parse(readFileSync(join(at, "package-lock.json"), "utf8")).packages).length - 1;
  return { file: join(at, "node_modules", name, bin), installedMb: bytes / 1e6, packages, samples: [] };
}

/** From the start of the process until the tools are there, and what it takes in memory a second later. */
async function start(file) {
  const env = { ...process.env, HOME: folder, PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}` };
  const from = performance.now();
  const child = spawn(process.execPath, [file], { env, stdio: ["pipe", "pipe", "ignore"] });
  let text = "";
  const answers = (id) =>
    new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)));
      child.stdout.on("data", (chunk) => {
        text += chunk;
        for (const line of text.split("\n").filter((part) => part.includes(`"id":${id}`))) {
          try {
            resolve(JSON.parse(line));
          } catch {
            // Not yet whole.
          }
        }
      });
    });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  await answers(1);
  const initializeMs = performance.now() - from;
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  const { result } = await answers(2);
  const ms = performance.now() - from;
  await sleep(1_000);
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
  child.removeAllListeners("exit");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  child.kill();
  await ended;
  return { initializeMs, ms, rssMb, listChars: JSON.stringify(result.tools).length, tools: result.tools.length };
}

function report(servers) {
  const rows = Object.entries(servers).map(([name, { samples, installedMb, packages }]) => ({
    server: name,
    "initialize ms": round(median(samples.map((sample) => sample.initializeMs))),
    "tools/list ms": round(median(samples.map((sample) => sample.ms))),
    "idle MB": round(median(samples.map((sample) => sample.rssMb)), 1),
    "installed MB": round(installedMb, 2),
    packages,
    tools: samples[0].tools,
    "list chars": samples[0].listChars,
  }));
  console.table(rows);
  const ours = servers["@x/mcp-server"];
  const checks = [
    ...Object.entries(LIMITS).flatMap(([measure, limits]) =>
      Object.entries(limits).map(([peer, limit]) => {
        const ratio =
          median(ours.samples.map((s) => s[measure])) / median(servers[peer].samples.map((s) => s[measure]));
        return [`${measure} against ${peer}`, ratio, limit];
      }),
    ),
    ["installed MB", ours.installedMb, MAX_INSTALLED_MB],
    ["packages", ours.packages, MAX_PACKAGES],
    ["characters of the tool list", ours.samples[0].listChars, 5_000],
  ];
  for (const [what, value, limit] of checks) {
    console.log(`${value <= limit ? "ok    " : "FAILED"} ${what}: ${round(value, 2)} (at most ${limit})`);
    if (!(value <= limit)) process.exitCode = 1;
  }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value, digits = 0) {
  return Number(value.toFixed(digits));
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}
