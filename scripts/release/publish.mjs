#!/usr/bin/env node
// Publishes the tarballs of a folder that the registry does not have yet, each behind those that it depends on, and prints
// what it published. Only npm and this file run here, so that nothing else has the right to publish.
//   publish.mjs FOLDER
import { execFileSync, spawnSync } from "node:child_process";
import { packedIn } from "./packed.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("publish.mjs FOLDER: say from where");
for (const { tarball, manifest } of packedIn(folder)) {
  const id = `${manifest.name}@${manifest.version}`;
  if (isPublished(id)) continue;
  execFileSync("npm", ["publish", tarball, "--access", "public"], { stdio: ["ignore", "ignore", "inherit"] });
  console.log(id);
}

function isPublished(id) {
  const { status, stdout } = spawnSync("npm", ["view", id, "version", "--json"], { encoding: "utf8" });
  if (status === 0) return stdout.trim() !== "";
  const code = JSON.parse(stdout).error.code;
  if (code === "E404") return false;
  throw new Error(`npm view ${id}: ${code}`);
}
