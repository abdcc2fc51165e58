// The bundle contains the sibling packages, which changesets cannot see: a release of one of them that leaves this
// package out would leave its users without the change.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../.changeset/", import.meta.url);
const released = new Set();
for (const name of readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md")) {
  const head =
    /^---\n(.*?)\n---/s.exec(readFileSync(new URL(name, folder), "utf8").replaceAll("\r\n", "\n"))?.[1] ?? "";
  for (const [, packageName] of head.matchAll(/^["']?(@x\/[\w-]+)["']?:/gm)) released.add(packageName);
}
const siblings = ["@x/json-repair", "@x/gemini-runner", "@x/research"].filter((name) => released.has(name));
if (siblings.length > 0 && !released.has("@x/mcp-server")) {
  console.error(`${siblings.join(", ")} will be released and is part of @x/mcp-server: add a changeset for that too.`);
  process.exitCode = 1;
}
