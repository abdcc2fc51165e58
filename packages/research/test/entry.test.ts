import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { expect, test } from "vitest";
import { temporaryFolder } from "./world.js";

/** What a file of the source needs of Node when it is bundled with all that it imports. */
async function nodeModulesOf(entry: string): Promise<string[]> {
  const found = new Set<string>();
  await build({
    entry: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    outDir: await temporaryFolder(),
    config: false,
    silent: true,
    format: "esm",
    noExternal: [/./],
    removeNodeProtocol: false,
    esbuildOptions: (options) => {
      options.conditions = ["@x/source"];
    },
    esbuildPlugins: [
      {
        name: "modules-of-node",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^.]/ }, ({ path }) => {
            if (!isBuiltin(path)) return undefined;
            found.add(path);
            return { path, external: true };
          }),
      },
    ],
  });
  return [...found];
}

test("the main entry touches no file, process or network: it needs no module of Node", async () => {
  expect(await nodeModulesOf("index.ts")).toEqual([]);
  expect(await nodeModulesOf("node/index.ts")).toContain("node:fs/promises");
});
