import { atLeast } from "./version.js";

/**
 * Models that every CLI, or every CLI from a version on, asks for by the name it was given. For another (`pro`, `auto`, a
 * preview that has a successor) it looks up the settings of a sub-call again under the new name and loses them.
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

/**
 * Names under which a CLI asks for a model after it has looked for a successor, or for one that a login has access to.
 * The small models are not among them: with these it chooses the model of a run, for which no tool may be set.
 */
const FINAL_NAMES = [
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-3-flash",
  "gemini-3-flash-preview",
  "gemini-3-pro-preview",
  "gemini-3.1-pro-preview",
  "gemini-3.1-pro-preview-customtools",
  "gemini-3.5-flash",
  "gemini-3.8-flash",
];

const SEARCH = { googleSearch: {} };
const READ = { urlContext: {} };

export interface SubCallOptions {
  tools: readonly string[];
  /** The model of the run, when it is known. */
  model?: string | undefined;
  /** The version of the CLI, when it is known. */
  version?: string | undefined;
}

/** Settings for searches and page reads, which are requests to a model of their own. */
export function subCallSettings({ tools, model, version }: SubCallOptions): object {
  if (!tools.includes("google_web_search") && !tools.includes("web_fetch")) return {};
  const since = KEEP_THEIR_NAME.get(model ?? "");
  const same = since !== undefined && (version === undefined || atLeast(version, since));
  return {
    modelConfigs: { customOverrides: keptTools(), ...(same && model ? { customAliases: sameModel(model) } : {}) },
  };
}

/** The tools of a sub-call, found again under the name that its model goes by in the end. The turns of a run have theirs. */
function keptTools(): object[] {
  const modelConfig = { generateContentConfig: { tools: [SEARCH, READ] } };
  return FINAL_NAMES.map((model) => ({ match: { model }, modelConfig }));
}

/**
 * Sub-calls by the model of the run. When theirs is another one and its daily quota is used up, the CLI (0.45 to 0.61)
 * repeats the request without end, a thousand times a second; when it is the same, it gives up at once and the run goes
 * on. Where the model's final name is not known, the guard alone ends such a run.
 */
function sameModel(model: string): object {
  const alias = (...tools: object[]) => ({
    extends: "base",
    modelConfig: { model, generateContentConfig: tools.length > 0 ? { tools } : {} },
  });
  return { "web-search": alias(SEARCH), "web-fetch": alias(READ), "web-fetch-fallback": alias() };
}
