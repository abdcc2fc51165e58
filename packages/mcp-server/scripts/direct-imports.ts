// For the bundle: what an `index.ts` of a sibling names is imported from the file that has it.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "tsup";

const PACKAGES = fileURLToPath(new URL("../..", import.meta.url));
const OWN = join(PACKAGES, "mcp-server", "src") + sep;

/**
 * esbuild puts all that an index names into the chunks of whoever imports one name of it: a thread would load what it never
 * runs. With this, `import { a } from "@x/research"` in our sources reads the file that has `a`.
 */
export const directImports: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "direct-imports",
  setup(build) {
    const indexes = new Map<string, ReadonlyMap<string, string>>();
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(OWN)) return undefined;
      const source = await readFile(path, "utf8");
      const contents = source.replace(
        /^import \{([^}]*)\} from "(@x\/[\w/-]+)";$/gm,
        (statement, names: string, specifier: string) => {
          const files = indexes.get(specifier) ?? namesOf(specifier);
          indexes.set(specifier, files);
          return rewritten(names, files) ?? statement;
        },
      );
      return { contents, loader: "ts" };
    });
  },
};

/** The same imports, each from its file; `undefined` when the index does not name one of them. */
function rewritten(names: string, files: ReadonlyMap<string, string>): string | undefined {
  const values = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
  const all = values.map((name) => [name, files.get(name.split(" as ")[0] ?? "")] as const);
  if (all.some(([, file]) => file === undefined)) return undefined;
  return all.map(([name, file]) => `import { ${name} } from ${JSON.stringify(file)};`).join(" ");
}

/** The files of the names that an index passes on. */
function namesOf(specifier: string): ReadonlyMap<string, string> {
  const [, name = "", inner = ""] = /^@x\/([\w-]+)(.*)$/.exec(specifier) ?? [];
  const folder = join(PACKAGES, name);
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const index = join(folder, exports[`.${inner}`]["@x/source"]);
  const files = new Map<string, string>();
  for (const [, list = "", path = ""] of readFileSync(index, "utf8").matchAll(
    /^export \{([^}]*)\} from "(\.[^"]+)";$/gm,
  )) {
    const file = join(dirname(index), path.replace(/\.js$/, ".ts"));
    for (const each of list.split(",").map((part) => part.trim())) {
      if (/^\w+$/.test(each)) files.set(each, file);
    }
  }
  return files;
}
