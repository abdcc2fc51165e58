/** What a person would have after a release: the packed server in a registry on loopback, and a checkout with the plugin. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startRegistry } from "../../../scripts/release/local-registry.mjs";
import { pack } from "../measure/pnpm.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FAKE = fileURLToPath(new URL("./fake-gemini.mjs", import.meta.url));
/** All that a host reads of a checkout. */
const READ = [".claude-plugin", "plugins", "docs/clients.md"];

/** @typedef {{ checkout: string, npmrc: string, bin: string, close(): Promise<void> }} Release `bin`: a folder with a program in the place of Gemini CLI, by the name that it has on PATH. */

/** @returns {Promise<Release>} */
export async function makeRelease() {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const [checkout, bin] = ["checkout", "bin"].map((name) => join(folder, name));
  for (const path of READ) cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
  mkdirSync(bin);
  symlinkSync(FAKE, join(bin, "gemini"));
  const registry = await startRegistry(join(folder, "registry"));
  const close = async () => {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const tarball = join(folder, "mcp-server.tgz");
    pack(join(ROOT, "packages/mcp-server"), tarball);
    const env = { ...process.env, NPM_CONFIG_USERCONFIG: registry.npmrc, npm_config_registry: undefined };
    execFileSync("npm", ["publish", tarball, "--access", "public"], { env, stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    await close();
    throw error;
  }
  return { checkout, npmrc: registry.npmrc, bin, close };
}
