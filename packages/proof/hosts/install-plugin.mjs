/** A plugin of the checkout, installed by the host itself, as the plugin's README says. */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LIMIT_MS = 120_000;

/**
 * Gives what the host lists then.
 *
 * @param {import("./hosts.mjs").Host} host
 * @param {{ home: string, work: string, release: import("./release.mjs").Release, env: Record<string, string>, program: string[] }} place
 */
export function installPlugin({ name, plugin }, { home, work, release, env, program: [file, ...first] }) {
  copyFileSync(release.npmrc, join(home, ".npmrc"));
  if (plugin.byHand !== undefined) writeFileSync(join(work, plugin.byHand), entryOf(release.checkout, name));
  const say = (words, cwd) => {
    // Some ask for the key when they install, and some list on stderr.
    const options = { cwd, env, encoding: "utf8", timeout: LIMIT_MS, input: "none\n" };
    const { status, stdout, stderr, error } = spawnSync(file, [...first, ...words], options);
    const said = `${stdout}${stderr}`.trim();
    if (status !== 0) throw new Error(`${words.join(" ")}: ${said.slice(-500) || error?.message}`);
    return said;
  };
  for (const words of plugin.install) say(words, release.checkout);
  return say(plugin.list, work);
}

/** What docs/clients.md tells a person to write for a client. */
function entryOf(checkout, name) {
  const page = readFileSync(join(checkout, "docs/clients.md"), "utf8");
  const section = page.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
  const entry = /```json\n(.*?)```/s.exec(section)?.[1];
  if (entry === undefined) throw new Error(`docs/clients.md has no entry of ${name}`);
  return entry;
}
