import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENTS, type ClientName } from "../../../src/cli/setup/client.js";
import { describeClient } from "../../../src/cli/setup/clients.js";
import { mergeJson } from "../../../src/cli/setup/merge-json.js";
import { mergeToml } from "../../../src/cli/setup/merge-toml.js";
import type { Host } from "../../../src/host/io.js";

const PAGE = readFileSync(new URL("../../../../../docs/clients.md", import.meta.url), "utf8");

const HOSTS = {
  linux: { host: { platform: "linux", homeDir: "/home/ada", cwd: "/work", pid: 1 }, config: "~/.config" },
  darwin: {
    host: { platform: "darwin", homeDir: "/Users/ada", cwd: "/work", pid: 1 },
    config: "~/Library/Application Support",
  },
  win32: { host: { platform: "win32", homeDir: "C:\\Users\\ada", cwd: "C:\\work", pid: 1 }, config: "%APPDATA%" },
} as const satisfies Record<string, { host: Host; config: string }>;

const client = (name: ClientName, host: Host, project = false) =>
  describeClient(name, { host, env: {}, variables: {}, project });
const row = (title: string) => PAGE.split("\n").find((line) => line.startsWith(`| ${title} |`)) ?? "";
/** As a person reads it: the home is `~`, and Windows keeps settings in a folder of its own. */
const shown = (path: string, { homeDir }: Host) =>
  path
    .replaceAll("\\", "/")
    .replace(`${homeDir.replaceAll("\\", "/")}/AppData/Roaming`, "%APPDATA%")
    .replace(homeDir.replaceAll("\\", "/"), "~");
const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

test.each(CLIENTS)("%s: its entry on the page is what setup prints", (name) => {
  const described = client(name, HOSTS.linux.host);
  if (described === undefined) throw new Error(`${name} has no configuration`);
  const { title, format, path, entry } = described;
  const section = PAGE.split(/^### /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
  const [, block] = /```(?:json|toml)\n([\s\S]*?)```/.exec(section) ?? [];
  const printed = (format === "toml" ? mergeToml : mergeJson)("", path, entry);
  expect(withoutBlanks(block ?? "")).toBe(withoutBlanks(printed));
});

test.each(
  CLIENTS.flatMap((name) => Object.values(HOSTS).map((system) => [name, system.host.platform, system] as const)),
)("%s on %s: the page names its files", (name, _platform, { host, config }) => {
  const { title = "", files = [] } = client(name, host) ?? {};
  const cells = row(title).replaceAll("CONFIG", config);
  for (const file of files) expect(cells).toContain(`\`${shown(file, host)}\``);
  const project = client(name, host, true)?.files[0];
  const ofProject =
    project === undefined ? "–" : `\`${project.replaceAll("\\", "/").replace(/^(?:C:)?\/work\//, "")}\``;
  expect(row(title).split("|").at(-2)?.trim()).toBe(ofProject);
});
