import { defineConfig } from "tsup";
import manifest from "./package.json" with { type: "json" };

/** One file with everything in it, so that an install fetches one package. */
export default defineConfig({
  entry: ["src/bin.ts"],
  format: "esm",
  target: "node20",
  platform: "node",
  noExternal: [/./],
  dts: false,
  clean: true,
  splitting: false,
  minify: true,
  define: { __VERSION__: JSON.stringify(manifest.version) },
  // Bundled CommonJS asks for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
