import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { BUILT_IN } from "./scripts/built-in.js";
import { directImports } from "./scripts/direct-imports.js";

/** Texts in forty languages for errors that nobody sees. */
const zodLocales = /zod[/\\]v4[/\\]locales[/\\]index\./;
/** The SDK's server checks with it what it asks of a client; ours asks nothing. */
const ajv = /sdk[/\\]dist[/\\]esm[/\\]validation[/\\]ajv-provider\./;

/** It escapes what it writes, and would bring the table of all names of characters along. */
const domSerializer = /dom-serializer[/\\]lib[/\\]esm[/\\]index\.js$/;

/** What `bin.js` loads when it is needed, by its names in the source and in `dist`. */
const LATER: Record<string, string> = {
  "../protocol/server.js": "server",
  "../services.js": "services",
  "./cli/main.js": "cli",
};

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const leaveOut: Plugin = {
  name: "leave-out",
  setup(build) {
    build.onLoad({ filter: zodLocales }, () => ({ contents: "export {}" }));
    build.onLoad({ filter: domSerializer }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace('from "entities"', 'from "entities/lib/escape.js"') };
    });
    build.onLoad({ filter: ajv }, () => ({ contents: "export class AjvJsonSchemaValidator {}" }));
  },
};

const startAlone: Plugin = {
  name: "start-alone",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === "dynamic-import" && path in LATER ? { path: `./${LATER[path]}.js`, external: true } : undefined,
    );
    build.onLoad({ filter: /[/\\]node_modules[/\\]/ }, ({ path }) => ({
      errors: [{ text: `${path} would be read at every start: load it later` }],
    }));
  },
};

/** What reads a model's text runs in a thread of its own: the server's does not load it as well. */
const ELSEWHERE = /[/\\](?:zod|json-repair)[/\\]/;
const MAIN_THREAD = ["src/services.ts", "src/research.ts"];

const lightMainThread: Plugin = {
  name: "light-main-thread",
  setup(build) {
    build.onEnd(({ metafile }) => {
      const outputs = metafile?.outputs ?? {};
      const load = (output: string, seen = new Set<string>()) => {
        if (seen.has(output)) return seen;
        seen.add(output);
        for (const { path, kind } of outputs[output]?.imports ?? []) if (kind === "import-statement") load(path, seen);
        return seen;
      };
      const entries = Object.keys(outputs).filter((name) => MAIN_THREAD.includes(outputs[name]?.entryPoint ?? ""));
      const loaded = new Set(entries.flatMap((name) => [...load(name)]));
      const inputs = [...loaded].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
      const found = inputs.find((input) => ELSEWHERE.test(input));
      return found === undefined ? {} : { errors: [{ text: `${found} would be read by the server's own thread` }] };
    });
  },
};

/** Only a shared queue, traces and an export to Word need them: whoever wants one installs them. */
const PEERS = ["@opentelemetry/api", "bullmq", "docx", "ioredis", "pg"];

/** Everything in it, so that an install fetches one package. */
const shared: Options = {
  format: "esm",
  target: "node20",
  platform: "node",
  noExternal: [new RegExp(`^(?!(?:${PEERS.join("|")})$)`)],
  external: PEERS,
  dts: false,
  splitting: true,
  minify: true,
  removeNodeProtocol: false,
  define: BUILT_IN,
  esbuildOptions(options) {
    options.conditions = ["@x/source"];
  },
};

/**
 * `bin.js` is one file with what a client needs until it asks for work, and nothing of others. Node takes 20 ms to read
 * half a megabyte, so the rest is in files that are read when they are needed.
 */
export default defineConfig(({ entry }) => {
  const rest: Options = {
    ...shared,
    metafile: true,
    // Bundled CommonJS asks for Node's own modules.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    esbuildPlugins: [leaveOut, directImports, lightMainThread],
  };
  // A program of the tests, made as the package is.
  if (entry !== undefined) return rest;
  rmSync("dist", { recursive: true, force: true });
  return [
    { ...shared, entry: ["src/bin.ts"], splitting: false, esbuildPlugins: [startAlone] },
    {
      ...rest,
      entry: {
        server: "src/protocol/server.ts",
        services: "src/services.ts",
        cli: "src/cli/main.ts",
        "research-worker": "src/research-worker.ts",
        // The thread that makes the texts of pages: `@x/research/pages` looks for it beside itself.
        "page-worker": "../research/src/pages/page-worker.ts",
        // The thread that searches documents, likewise.
        "search-worker": "../research/src/pages/documents/search-worker.ts",
        "firecrawl-bridge": "src/firecrawl-bridge.ts",
      },
    },
  ];
});
