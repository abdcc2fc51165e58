#!/usr/bin/env node
// A release on GitHub, with its tag, for each package that was published: what changed, from its changelog, and the files.
//   announce.mjs FOLDER ID …     in the checkout that was published, with `gh` signed in
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileIn, isServer, packedIn } from "./packed.mjs";

const [folder, ...ids] = process.argv.slice(2);
const common = ["SHA256SUMS", "THIRD-PARTY-NOTICES.txt", "docker-mcp.yaml", "server.json"];
for (const { tarball, manifest } of packedIn(folder)) {
  const id = `${manifest.name}@${manifest.version}`;
  if (!ids.includes(id)) continue;
  const own = basename(tarball, ".tgz");
  const wanted = (name) =>
    name.startsWith(own) || (isServer(manifest) && (common.includes(name) || name.endsWith(".mcpb")));
  const files = readdirSync(folder).filter(wanted);
  const notes = changesOf(fileIn(tarball, "CHANGELOG.md") ?? "", manifest.version);
  const args = ["release", "create", id, "--title", id, "--notes-file", "-", "--target", process.env.GITHUB_SHA];
  execFileSync("gh", [...args, ...files.map((name) => join(folder, name))], {
    input: notes,
    stdio: ["pipe", "inherit", "inherit"],
  });
}

/** The part of a changelog that tells of one version. */
function changesOf(changelog, version) {
  const sections = changelog.split(/^## /m);
  return (
    sections
      .find((section) => section.split("\n", 1)[0].trim() === version)
      ?.replace(/^.*\n/, "")
      .trim() ?? ""
  );
}
