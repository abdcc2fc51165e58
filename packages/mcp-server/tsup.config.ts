import { defineConfig } from "tsup";
import manifest from "./package.json" with { type: "json" };

/** Texts in forty languages for errors that nobody sees. */
const zodLocales = /zod[/\\]v4[/\\]locales[/\\]index\./;
/** The SDK's server checks with it what it asks of a client; ours asks nothing. */
const ajv = /sdk[/\\]dist[/\\]esm[/\\]validation[/\\]ajv-provider\./;

/**
 * Everything in it, so that an install fetches one package. `bin.js` holds what a client needs until it asks for work;
 * Node takes 20 ms to read the rest (half a megabyte), so that is in files of its own, which are read when needed.
 */
export default defineConfig({
  entry: ["src/bin.ts", "src/firecrawl-bridge.ts"],
  format: "esm",
  target: "node20",
  platform: "node",
  noExternal: [/./],
  dts: false,
  clean: true,
  splitting: true,
  minify: true,
  metafile: true,
  removeNodeProtocol: false,
  define: { __VERSION__: JSON.stringify(manifest.version) },
  // Bundled CommonJS asks for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  esbuildOptions(options) {
    options.conditions = ["@x/source"];
  },
  esbuildPlugins: [
    {
      name: "leave-out",
      setup(build) {
        build.onLoad({ filter: zodLocales }, () => ({ contents: "export {}" }));
        build.onLoad({ filter: ajv }, () => ({ contents: "export class AjvJsonSchemaValidator {}" }));
      },
    },
  ],
});
