/**
 * Runs the tests of a package on what users install. A test says `../src/index.js`, the public surface: it gets the file
 * of the installed package instead, and so does every import of a sibling. Inner files stay the sources.
 */
import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { shared } from "../../../vitest.shared.ts";
import { BUILT_IN } from "../../mcp-server/scripts/built-in.ts";

const packages = fileURLToPath(new URL("../../", import.meta.url));
const installed = process.env.INSTALLED_PACKAGES;
if (installed === undefined) throw new Error("INSTALLED_PACKAGES names the node_modules in which the packages are");

/** The built file of a source that a package makes public; the command line's package makes none. */
function builtOf(source) {
  if (!source.startsWith(packages)) return undefined;
  const [name, src, ...rest] = source.slice(packages.length).split(sep);
  if (src !== "src" || rest.at(-1) !== "index.ts") return undefined;
  const built = join(installed, "@x", name, "dist", ...rest).replace(/\.ts$/, ".js");
  return existsSync(built) ? built : undefined;
}

export default {
  plugins: [
    {
      name: "built-packages",
      enforce: "pre",
      async resolveId(id, importer, options) {
        const resolved = await this.resolve(id, importer, { ...options, skipSelf: true });
        const built = resolved && importer !== undefined && builtOf(resolved.id);
        return built ? { id: built, external: true } : resolved;
      },
    },
  ],
  define: BUILT_IN,
  ...shared,
  test: { ...shared.test, maxWorkers: 2, expect: { poll: { timeout: 30_000 } } },
};
