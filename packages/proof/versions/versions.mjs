#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { npmInstall } from "../measure/npm.mjs";
import { machine, table, writeSection } from "../measure/page.mjs";
import { pack, scriptOutput } from "../measure/pnpm.mjs";
import { fetchNode, NODE_VERSIONS } from "./node-versions.mjs";
import { WINDOWS_NODE_VERSIONS, windowsRows, wineVersion } from "./windows.mjs";

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));
const NAMES = ["json-repair", "gemini-runner", "research", "mcp-server"];
const CONFIG = fileURLToPath(new URL("built.config.mjs", import.meta.url));
/** A suite that takes longer hangs. */
const SUITE_LIMIT_MS = 10 * 60_000;
const COMPAT_LIMIT_MS = 60 * 60_000;

const USAGE = `The packages as users get them, packed and installed elsewhere, under the tests of each on every supported line of Node;
the runner with older Gemini CLIs; and, where Wine is installed, a few uses under Node for Windows.
Writes docs/compatibility.md: npm run versions [-- options]

  --only node|cli|windows    one part
  --node VERSION     one version of Node; may be repeated (${NODE_VERSIONS.join(", ")})
  --package NAME     one package; may be repeated (${NAMES.join(", ")})
  --dry              only prints`;

const values = commandLine(USAGE, {
  only: { type: "string" },
  node: { type: "string", multiple: true, default: NODE_VERSIONS },
  package: { type: "string", multiple: true, default: NAMES },
  dry: { type: "boolean" },
});
const parts = { node: nodePart, cli: cliPart, windows: windowsPart };
if (values.only !== undefined && parts[values.only] === undefined) {
  refuse(`--only ${values.only}: known are ${Object.keys(parts).join(", ")}`, USAGE);
}

const scratch = mkdtempSync(join(tmpdir(), "versions-"));
try {
  for (const [name, part] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue;
    const text = part();
    if (text === undefined) continue;
    console.log(`\n${text}`);
    if (!values.dry) writeSection("compatibility.md", name, text);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function nodePart() {
  const installed = installPackages();
  const rows = values.node.map((version) => {
    const node = fetchNode(version);
    const cells = values.package.map((name) => {
      const { passed, failures } = testPackage({ name, node, installed, version });
      for (const failure of failures) console.error(`Node ${version}, ${name}: failed: ${failure}`);
      if (failures.length > 0) process.exitCode = 1;
      return failures.length > 0 ? `${passed} passed, **${failures.length} failed**` : `${passed} passed`;
    });
    return [version, ...cells];
  });
  return [
    `Tests of each package on what \`npm install\` puts there from its tarball: the public surface is the installed package's, siblings are too, inner units are sources; the real Gemini CLI and the built server run under the same Node. ${machine()}.`,
    table(["Node", ...values.package.map((name) => `@x/${name}`)], rows),
  ].join("\n\n");
}

/** What a few uses give under Node for Windows; `undefined` where there is no Wine. */
function windowsPart() {
  if (spawnSync("wine", ["--version"]).error !== undefined) {
    console.error("windows: left out, there is no wine");
    return undefined;
  }
  const rows = windowsRows(installPackages(), scratch);
  if (rows.some((row) => row.slice(1).some((result) => result !== "yes"))) process.exitCode = 1;
  const text = `The installed packages under Node for Windows in ${wineVersion()}, with a program in the CLI's place. Wine is not Windows: it shows that paths, \`.cmd\` files, the environment and files are handled as there; its \`taskkill\` cannot end a tree. ${machine()}.`;
  return [text, table(["", ...WINDOWS_NODE_VERSIONS.map((version) => `Node ${version}`)], rows)].join("\n\n");
}

/** Packs what would be published and installs it alone; gives the `node_modules`. */
function installPackages() {
  const tarballs = NAMES.map((name) => {
    const tarball = join(scratch, `${name}.tgz`);
    pack(join(PACKAGES, name), tarball);
    return tarball;
  });
  const folder = join(scratch, "installed");
  npmInstall(folder, ...tarballs);
  return join(folder, "node_modules");
}

/** Runs the tests of one package under one Node. */
function testPackage({ name, node, installed, version }) {
  const folder = join(PACKAGES, name);
  const report = join(scratch, `${name}-${version}.json`);
  const vitest = join(folder, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", folder, "--config", CONFIG, "--silent"];
  const { stdout, stderr, error } = spawnSync(node, [...args, "--reporter=json", `--outputFile=${report}`], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      INSTALLED_PACKAGES: installed,
    },
    encoding: "utf8",
    timeout: SUITE_LIMIT_MS,
    maxBuffer: 2 ** 28,
  });
  let results;
  try {
    results = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    throw new Error(`Node ${version}, ${name}: no report. ${error?.message ?? ""}\n${stdout}\n${stderr}`);
  }
  const failures = results.testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    const titles = failed.map(
      ({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages.join(" "))}`,
    );
    return titles.length === 0 && status === "failed" ? [`${file}: ${firstLine(message)}`] : titles;
  });
  return { passed: results.numPassedTests, failures };
}

function firstLine(text) {
  return text.split("\n", 1)[0].slice(0, 300);
}

/** The runner's own script installs the older CLIs, runs them and prints its table. */
function cliPart() {
  return scriptOutput(join(PACKAGES, "gemini-runner"), ["compat"], COMPAT_LIMIT_MS);
}
