import { defineConfig } from "tsup";
import manifest from "./package.json" with { type: "json" };

/** Texts in forty languages for errors that nobody sees. */
const zodLocales = /zod[/\\]v4[/\\]locales[/\\]index\./;
/** The SDK's server checks with it what it asks of a client; ours asks nothing. */
const ajv = /sdk[/\\]dist[/\\]esm[/\\]validation[/\\]ajv-provider\./;

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
