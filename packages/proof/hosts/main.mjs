#!/usr/bin/env node
/** Every host with every play, into docs/hosts.md. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chosenBy } from "../measure/choice.mjs";
import { commandLine } from "../measure/command-line.mjs";
import { HOSTS } from "./hosts.mjs";
import { PLAYS } from "./plays.mjs";
import { makeRelease } from "./release.mjs";
import { runHost } from "./run-host.mjs";

const PAGE = new URL("../../../docs/hosts.md", import.meta.url);
const TIMEOUT_MS = 150_000;

const USAGE = `Real hosts with the built server and a model on loopback: npm run hosts [-- options]

  --only EXPRESSION     hosts whose names fit
  --play EXPRESSION     plays whose names fit
  --into FOLDER         where the hosts are installed, about 1 GB (a folder for temporary files; kept for the next time)

Without the first two it writes docs/hosts.md.`;

const values = commandLine(USAGE, {
  only: { type: "string" },
  play: { type: "string" },
  into: { type: "string", default: join(tmpdir(), "x-research-hosts") },
});
const hosts = chosenBy("--only", values.only, HOSTS, { nameOf: ({ name }) => name, usage: USAGE });
const plays = chosenBy("--play", values.play, PLAYS, { nameOf: ({ title }) => title, usage: USAGE });

/** The version that is measured, in a folder of its own. */
function install({ package: name, version }) {
  const folder = join(values.into, `${name.replace(/\W+/g, "-")}-${version}`);
  if (!existsSync(join(folder, "node_modules", name))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", `${name}@${version}`], { cwd: folder, stdio: "ignore" });
  }
  return folder;
}

let failed = 0;

/** What comes of one play with one host, in words. */
async function played(host, { title, plan, judge, options, plugin }, release) {
  if (plugin && host.plugin === undefined) return "–";
  const own = { install: install(host), plan, timeoutMs: TIMEOUT_MS, ...options, ...(plugin && { release }) };
  const said = await runHost(host, own)
    .then(judge)
    .catch((error) => {
      failed += 1;
      return `**fails**: ${error.message}`;
    });
  console.log(`${host.name} × ${title}: ${said}`);
  return said;
}

const rows = [];
const release = plays.some(({ plugin }) => plugin) ? await makeRelease() : undefined;
try {
  for (const host of hosts) {
    const row = [`${host.name} ${host.version}`];
    for (const play of plays) row.push(await played(host, play, release));
    rows.push(row);
  }
} finally {
  await release?.close();
}

const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
const titles = ["Host", ...plays.map(({ title }) => title)];
const page = `# Hosts

Real hosts from npm, each with a home of its own, a model on loopback that calls the tools, and the built server with a program
in the place of Gemini CLI. A cell says what the host gave its model. \`npm run hosts\` writes this page.

${[titles, titles.map(() => "---"), ...rows].map(line).join("\n")}

- *Answer*: the length of what the model saw of a short report.
- *The host's own time-out*: the host's limit for a call is set to 5 s, which the server is not told; the research takes 12 s. The
  model asks the same question again. Codex cancels in the words of a person's cancel: it is known for a time-out the second
  time, and the round that ran until then is lost.
- *A report of 100,000 characters*: followed page by page, every line is there.
- *Its plugin*: what this repository holds for the host, installed by the host itself from a checkout and used once, with the
  packed server from a registry on loopback. opencode has no plugins with servers: there it is the entry of [Clients](clients.md).
  Claude Code gives a server 30 s to start, in which npx fetches it the first time; here it has 120 s, so that a busy machine counts for nothing.
- *One more look*: what it costs the model to hear that the research is not finished.
`;
if (values.only === undefined && values.play === undefined && failed === 0) writeFileSync(PAGE, page);
process.exitCode = failed > 0 ? 1 : 0;
