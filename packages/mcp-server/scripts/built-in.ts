import manifest from "../package.json" with { type: "json" };

const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** What the build writes into the program. */
export const BUILT_IN = { __VERSION__: JSON.stringify(manifest.version), __REPOSITORY__: JSON.stringify(repository) };
