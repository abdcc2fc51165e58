import manifest from "./package.json" with { type: "json" };

/** What the build and the tests put in the place of names in the source. */
export const BUILT_IN = { __VERSION__: JSON.stringify(manifest.version) };
