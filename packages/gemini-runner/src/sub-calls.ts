import { atLeast } from "./version.js";

/**
 * Models that every CLI, or every CLI from a version on, asks for by the name it was given. For another (`pro`, `auto`, a
 * preview that has a successor) it looks up the settings of a sub-call again under the new name and loses its tools:
 * a search would not search.
 */
const KEEP_THEIR_NAME = new Map([
  ["gemini-2.5-pro", "0.0.0"],
  ["gemini-2.5-flash-lite", "0.0.0"],
  ["gemini-3-flash-preview", "0.0.0"],
  ["gemini-3.1-pro-preview", "0.0.0"],
  ["gemini-2.5-flash", "0.61.0"],
  ["gemini-3.5-flash-lite", "0.61.0"],
  ["gemini-3.8-flash", "0.61.0"],
]);

/** What a model may become that has a successor, or that a login has no access to. */
const SUCCESSORS = [
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-3-pro-preview",
  "gemini-3-flash-preview",
  "gemini-3.1-pro-preview",
  "gemini-3.1-pro-preview-customtools",
  "gemini-3.5-flash",
  "gemini-3.8-flash",
];

const SEARCH = { googleSearch: {} };
const READ = { urlContext: {} };

/**
 * Settings that make searches and page reads, which are requests to a model of their own, go to the model of the run.
 *
 * When it is another model and its daily quota is used up, the CLI (0.45 to 0.61) repeats the request without end, a
 * thousand times a second; when it is the same, it gives up at once and the run goes on. Empty when the model is not
 * known by its final name: then the guard alone ends such a run.
 */
export function subCallSettings(model: string | undefined, version: string | undefined): object {
  const since = model === undefined ? undefined : KEEP_THEIR_NAME.get(model);
  if (since === undefined || (version !== undefined && !atLeast(version, since))) return {};
  const alias = (...tools: object[]) => ({
    extends: "base",
    modelConfig: { model, generateContentConfig: tools.length > 0 ? { tools } : {} },
  });
  return {
    modelConfigs: {
      customAliases: {
        "web-search": alias(SEARCH),
        "web-fetch": alias(READ),
        "web-fetch-fallback": alias(),
      },
      // Should the name change all the same, as it may with a login, the tools are found again under the new one. The
      // run's own turns replace them by theirs.
      customOverrides: SUCCESSORS.filter((name) => name !== model).map((name) => ({
        match: { model: name },
        modelConfig: { generateContentConfig: { tools: [SEARCH, READ] } },
      })),
    },
  };
}
