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

/** Keeps its name through Code Assist, by every CLI, with and without access to previews. */
const CODE_ASSIST_MODEL = "gemini-2.5-flash";

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
  /** The login is one that goes through Code Assist. */
  codeAssist: boolean;
  /** The model of the run, when it is known. */
  model?: string | undefined;
  /** The version of the CLI, when it is known. */
  version?: string | undefined;
}

/** Settings for searches and page reads, which are requests to a model of their own. */
export function subCallSettings(options: SubCallOptions): object {
  const { tools } = options;
  if (!tools.includes("google_web_search") && !tools.includes("web_fetch")) return {};
  const model = subCallModel(options);
  return {
    modelConfigs: {
      customOverrides: keptTools(),
      ...(model === undefined ? {} : { customAliases: aliasesFor(model) }),
    },
  };
}

/**
 * The model that sub-calls are to use. `undefined`: the CLI's choice.
 *
 * That of the run, where it keeps its name. When it is another one and its daily quota is used up, the CLI (0.45 to 0.61)
 * repeats the request without end, a thousand times a second; when it is the same, it gives up at once and the run goes on.
 * Where the model's final name is not known, the guard alone ends such a run.
 *
 * Through Code Assist the CLI's choice may be a preview that a company lets nobody use: it then asks for another model and
 * forgets which tool the sub-call is to have. There it is a model that every company has, also when the run's is a preview.
 */
function subCallModel({ codeAssist, model, version }: SubCallOptions): string | undefined {
  const since = KEEP_THEIR_NAME.get(model ?? "");
  const maybeNotTheirs = codeAssist && model?.includes("preview");
  if (since !== undefined && !maybeNotTheirs && (version === undefined || atLeast(version, since))) return model;
  return codeAssist ? CODE_ASSIST_MODEL : undefined;
}

/**
 * The tools of a sub-call. By its own name, which the CLI prefers, each has the one that it is for. Where the CLI forgets that
 * name, it finds both under the name that the model goes by in the end. The turns of a run have theirs.
 */
function keptTools(): object[] {
  return [
    ...FINAL_NAMES.map((model) => override(model, [SEARCH, READ])),
    override("web-search", [SEARCH]),
    override("web-fetch", [READ]),
    // The text of the page is there already. With an empty list the request would carry it; without one it has none.
    override("web-fetch-fallback", null),
  ];
}

function override(model: string, tools: object[] | null): object {
  return { match: { model }, modelConfig: { generateContentConfig: { tools } } };
}

function aliasesFor(model: string): object {
  const alias = (...tools: object[]) => ({
    extends: "base",
    modelConfig: { model, generateContentConfig: tools.length > 0 ? { tools } : {} },
  });
  return { "web-search": alias(SEARCH), "web-fetch": alias(READ), "web-fetch-fallback": alias() };
}
