#!/usr/bin/env node
// The whole release without the world: versions and changelogs in a clone of the last commit, all files packed and checked,
// published to a registry on loopback, announced to a program that only listens, installed from there and used.
//   npm run rehearse [-- --keep] [-- --schema FILE]
//     --keep           leaves the folder with all of it
//     --schema FILE    the schema of server.json; default: fetched from where server.json says
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkFiles } from "./check-files.mjs";
import { checkInstalled } from "./check-installed.mjs";
import { startRegistry } from "./local-registry.mjs";
import { packedIn } from "./packed.mjs";

const { values } = parseArgs({ options: { keep: { type: "boolean" }, schema: { type: "string" } } });
const root = fileURLToPath(new URL("../../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "rehearsal-"));
const clone = join(scratch, "clone");
const files = join(clone, ".release");
try {
  step("versions and changelogs", raiseVersions);
  step("all files of the release", () => npm(["run", "pack"], clone));
  await step("what stands in them", () => checkFiles(files, values.schema));
  const registry = await step("a registry on loopback", () => startRegistry(join(scratch, "registry")));
  try {
    const published = step("publishing", () => publishTwice(registry));
    step("announcing", () => announce(published));
    await step("installing and using", () => checkInstalled(files, registry, join(scratch, "user")));
  } finally {
    await registry.stop();
  }
  console.log("The release would work.");
} finally {
  if (values.keep) console.log(`kept: ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
}

function step(title, act) {
  console.log(`== ${title}`);
  return act();
}

/** As the pull request of the release workflow does it. */
function raiseVersions() {
  execFileSync("git", ["clone", "--quiet", root, clone]);
  if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "") {
    console.log("What is not committed takes no part.");
  }
  const notes = readdirSync(join(clone, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");
  if (notes.length === 0) return console.log("No changeset: the versions stay.");
  npm(["run", "version"], clone);
  const left = readdirSync(join(clone, ".changeset")).filter((name) => notes.includes(name));
  if (left.length > 0) throw new Error(`changesets are left: ${left.join(", ")}`);
  const author = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost"];
  execFileSync("git", ["add", "--all"], { cwd: clone });
  execFileSync("git", [...author, "commit", "--quiet", "--message", "Version Packages"], { cwd: clone });
}

/** Gives the ids that were published. A second try, as after a release that broke off, publishes nothing. */
function publishTwice({ npmrc }) {
  const publish = () =>
    execFileSync(process.execPath, ["scripts/release/publish.mjs", files], {
      cwd: clone,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        NPM_CONFIG_USERCONFIG: npmrc,
        npm_config_registry: undefined,
        npm_config_loglevel: "error",
      },
    })
      .split("\n")
      .filter(Boolean);
  const published = publish();
  console.log(published.join("\n"));
  if (published.length !== packedIn(files).length) throw new Error("not all packages were published");
  const again = publish();
  if (again.length > 0) throw new Error(`published twice: ${again.join(", ")}`);
  return published;
}

/** `gh` is a program here that writes down what it is asked for. */
function announce(published) {
  const bin = join(scratch, "bin");
  const told = join(scratch, "told");
  mkdirSync(bin);
  writeFileSync(told, "");
  writeFileSync(join(bin, "gh"), `#!/bin/sh\nprintf '%s ' "$@" >> '${told}'\necho >> '${told}'\nwc -c >> '${told}'\n`);
  chmodSync(join(bin, "gh"), 0o755);
  execFileSync(process.execPath, ["scripts/release/announce.mjs", files, ...published], {
    cwd: clone,
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH, GITHUB_SHA: "0".repeat(40) },
    stdio: "inherit",
  });
  const lines = readFileSync(told, "utf8").trim().split("\n");
  for (const [i, id] of published.entries()) {
    const asked = lines.findIndex((line) => line.startsWith(`release create ${id} `));
    if (asked < 0) throw new Error(`${id} was not announced`);
    if (Number(lines[asked + 1]) < 100) throw new Error(`${id} was announced without its changes`);
    if (i === 0) console.log(lines[asked].replaceAll(`${files}/`, ""));
  }
}

function npm(args, cwd) {
  execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
