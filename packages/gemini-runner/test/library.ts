import path from "node:path";
import { build } from "tsup";

/** Builds the runner as one file for programs of their own, into a folder of this name. */
export async function buildLibrary(name: string): Promise<string> {
  const outDir = path.join(import.meta.dirname, "../.turbo", name);
  await build({
    entry: [path.join(import.meta.dirname, "../src/index.ts")],
    outDir,
    format: "esm",
    config: false,
    silent: true,
    noExternal: ["@x/owned-files"],
    esbuildOptions: (options) => {
      options.conditions = ["@x/source"];
    },
  });
  return path.join(outDir, "index.js");
}
