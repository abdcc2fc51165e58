// A user's machine: an empty home, and npm set to a registry. Installs the packages from there and uses them.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askServer } from "../mcp-over-stdio.mjs";
import { isServer, packedIn } from "./packed.mjs";

/** A program that just prints an answer is a CLI too. */
const FAKE_CLI = `#!/bin/sh
cat > /dev/null
echo '{"success":true,"report":"Because.","metadata":{}}'
`;

/** Throws when something does not work. */
export async function checkInstalled(files, { npmrc }, folder) {
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const gemini = join(folder, "gemini");
  writeFileSync(gemini, FAKE_CLI);
  chmodSync(gemini, 0o755);
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, NPM_CONFIG_USERCONFIG: npmrc, GEMINI_CLI_PATH: gemini, GEMINI_API_KEY: "none" };
  const run = (command, args) => execFileSync(command, args, { cwd: project, env, encoding: "utf8" });

  const packages = packedIn(files).map(({ manifest }) => manifest);
  const libraries = packages.filter((manifest) => !isServer(manifest));
  run("npm", ["init", "--yes"]);
  run("npm", ["install", "--no-audit", "--no-fund", ...libraries.map(({ name, version }) => `${name}@${version}`)]);
  for (const { name, exports, bin = {} } of libraries) {
    for (const command of Object.keys(bin)) {
      const help = run(join(project, "node_modules/.bin", command), ["--help"]);
      if (!help.includes(command)) throw new Error(`${command} --help says ${help}`);
    }
    for (const entry of Object.keys(exports).filter((key) => !key.endsWith(".json"))) {
      const id = name + entry.slice(1);
      const names = run(process.execPath, [
        "-e",
        `import("${id}").then((all) => console.log(Object.keys(all).join(" ")))`,
      ]);
      if (names.trim() === "") throw new Error(`${id} exports nothing`);
    }
  }

  const [{ name, version }] = packages.filter(isServer);
  const npx = ["-y", `${name}@${version}`];
  const said = run("npx", [...npx, "--version"]).trim();
  if (said !== version) throw new Error(`${name} ${version} says that it is ${said}`);
  const { result } = JSON.parse(run("npx", [...npx, "search", "why?", "--json", "--quiet"]));
  if (result !== "Because.") throw new Error(`${name}: search answered ${result}`);
  const call = ["tools/call", { name: "search", arguments: { query: "why?" } }];
  const [{ tools }, { structuredContent }] = await askServer("npx", npx, env, [["tools/list"], call]);
  if (structuredContent?.result !== "Because.") throw new Error(`${name}: the tool answered otherwise`);
  console.log(`${libraries.map((library) => library.name).join(", ")}; ${name} with ${tools.length} tools`);
}
