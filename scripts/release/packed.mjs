// The tarballs of a release, as pack.mjs made them.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** A file of a tarball, as text. `undefined`: it has none of that name. */
export function fileIn(tarball, name) {
  try {
    return execFileSync("tar", ["-xzOf", tarball, `package/${name}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
}

/** Whether a package is the server: it alone is bundled, and stands in the registry of MCP. Others may have commands, too. */
export function isServer({ mcpName }) {
  return mcpName !== undefined;
}

/** The packages of a folder, `{ tarball, manifest }`, each behind those of them that it depends on. */
export function packedIn(folder) {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(folder, name))
    .map((tarball) => ({ tarball, manifest: JSON.parse(fileIn(tarball, "package.json")) }));
  const sorted = new Set();
  const add = (one) => {
    const { dependencies, peerDependencies } = one.manifest;
    for (const other of all) if (other.manifest.name in { ...dependencies, ...peerDependencies }) add(other);
    sorted.add(one);
  };
  for (const one of all) add(one);
  return [...sorted];
}
