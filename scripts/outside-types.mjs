#!/usr/bin/env node
// Compiles a program outside of this tree against a packed package, as a user with the fewest settings would: by `import` and
// by `require()`, without the DOM's types.
//   outside-types.mjs TARBALL
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const tarball = resolve(process.argv[2]);
const root = mkdtempSync(join(tmpdir(), "outside-"));
try {
  execFileSync("tar", ["-xzf", tarball, "-C", root]);
  const { name, exports, dependencies = {} } = JSON.parse(readFileSync(join(root, "package/package.json"), "utf8"));
  const home = join(root, "node_modules", name);
  mkdirSync(join(home, ".."), { recursive: true });
  execFileSync("mv", [join(root, "package"), home]);
  for (const each of Object.keys(dependencies)) {
    const link = join(home, "node_modules", each);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(resolve("node_modules", each), link);
  }
  const entries = Object.entries(exports).filter(([, target]) => target.types !== undefined);
  const specifiers = entries.map(([entry]) => join(name, entry).replaceAll("\\", "/"));
  const use = (line) => specifiers.map((specifier, i) => line(specifier, `entry${i}`)).join("\n");
  writeFileSync(
    join(root, "a.mts"),
    use((from, as) => `import * as ${as} from "${from}";\nexport { ${as} };`),
  );
  writeFileSync(
    join(root, "b.cts"),
    use((from, as) => `import ${as} = require("${from}");\nexport { ${as} };`),
  );
  for (const module of ["node16", "nodenext"]) {
    const settings = [
      "--strict",
      "--noEmit",
      "--target",
      "es2022",
      "--lib",
      "es2023",
      "--types",
      "",
      "--module",
      module,
    ];
    execFileSync(resolve("node_modules/.bin/tsc"), [...settings, "a.mts", "b.cts"], { cwd: root, stdio: "inherit" });
  }
  console.log(`${name}: its types resolve by import and by require()`);
} catch (error) {
  console.error(String(error.message).split("\n")[0]);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
