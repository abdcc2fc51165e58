// How each peer is asked. A text goes in, a value comes out; what throws is a refusal.
import { askBaml } from "./baml.mjs";
import { askPython } from "./python.mjs";

/** Pinned: the numbers in the README belong to these. */
export const PEERS = {
  jsonrepair: "3.15.0",
  "@solvers-hub/llm-json": "0.1.11",
  "@typia/utils": "14.0.6",
  ai: "6.0.326",
  "@langchain/core": "1.2.13",
  "partial-json": "0.1.7",
  "best-effort-json-parser": "1.5.1",
  "json-repair-js": "1.0.0",
  "@toolsycc/json-repair": "0.1.22",
  json5: "2.2.3",
  "jsonc-parser": "3.3.1",
  "@boundaryml/baml": "0.226.2",
  zod: "4.6.7",
};

/** What people write around a parser: strictly, then the first fence, then from the first to the last bracket. */
const sliced = (parse) => (text) => {
  try {
    return JSON.parse(text);
  } catch {
    const fence = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1];
    const part = fence ?? text;
    const start = part.search(/[{[]/);
    const end = Math.max(part.lastIndexOf("}"), part.lastIndexOf("]"));
    return parse(start >= 0 && end > start ? part.slice(start, end + 1) : part);
  }
};

/** Every fence, the whole text and the slice, strictly and repaired; the last one that fits. */
const candidates = (repair) => (text, schema) => {
  const parts = [text, ...[...text.matchAll(/```[\w-]*\s*([\s\S]*?)```/g)].map((match) => match[1])];
  const start = text.search(/[{[]/);
  if (start >= 0)
    parts.push(text.slice(start, Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1), text.slice(start));
  let found;
  for (const parse of [JSON.parse, (part) => JSON.parse(repair(part))]) {
    for (const part of parts) {
      try {
        const value = parse(part);
        if (typeof value !== "object" || value === null) continue;
        if (schema?.["~standard"].validate(value).issues) continue;
        found = { value };
      } catch {}
    }
    if (found) return found.value;
  }
  throw new Error("nothing fits");
};

/** Those that look for a value that fits. */
export const SCHEMA_TOOLS = new Set([
  "@x/json-repair",
  "jsonrepair, every fence and slice, schema",
  "@solvers-hub/llm-json",
]);

/** Those that take a JSON Schema, or types made of one; the schemas of the older corpora are none. */
export const JSON_SCHEMA_TOOLS = {
  "BAML's parser, types made of the schema": async ({ load }) => askBaml((await load("@boundaryml/baml")).default),
  "json_repair (Python), schema": askPython,
};

/** Loads one tool: `(text, schema) => value`. `load` imports a package of the bench's folder. */
export const TOOLS = {
  "@x/json-repair": async ({ own }) => {
    const { extractJson } = await import(own);
    // With all that it tells of its repairs, which costs more than the value alone.
    return (text, schema) => {
      const result = extractJson(text, schema ? { schema } : {});
      if (!result.ok) throw result.error;
      return result.value;
    };
  },
  "jsonrepair, every fence and slice, schema": async ({ load }) => candidates((await load("jsonrepair")).jsonrepair),
  "jsonrepair, fence or slice": async ({ load }) => {
    const { jsonrepair } = await load("jsonrepair");
    return sliced((text) => JSON.parse(jsonrepair(text)));
  },
  jsonrepair: async ({ load }) => {
    const { jsonrepair } = await load("jsonrepair");
    return (text) => JSON.parse(jsonrepair(text));
  },
  "typia LlmJson": async ({ load }) => {
    const { LlmJson } = await load("@typia/utils");
    return (text) => {
      const result = LlmJson.parse(text);
      if (result.success) return result.data;
      if (result.data === undefined) throw new Error("refused");
      return result.data;
    };
  },
  "@solvers-hub/llm-json": async ({ load }) => {
    const { LlmJson } = await load("@solvers-hub/llm-json");
    const parser = new LlmJson({ attemptCorrection: true });
    return (text, schema) => {
      const found = parser.extractAll(text).json.filter((value) => !schema?.["~standard"].validate(value).issues);
      if (found.length === 0) throw new Error("refused");
      return found.at(-1);
    };
  },
  "AI SDK parsePartialJson, fence or slice": async ({ load }) => {
    const { parsePartialJson } = await load("ai");
    return async (text) => {
      try {
        return JSON.parse(text);
      } catch {}
      const part = /^\s*```(?:json)?\s*([\s\S]*?)(?:```\s*)?$/.exec(text)?.[1] ?? text;
      const { value } = await parsePartialJson(part);
      if (value === undefined) throw new Error("refused");
      return value;
    };
  },
  "LangChain.js parseJsonMarkdown": async ({ load }) => {
    const { parseJsonMarkdown } = await load("@langchain/core/output_parsers");
    return (text) => parseJsonMarkdown(text);
  },
  "best-effort-json-parser, fence or slice": async ({ load }) => {
    const { default: parser } = await load("best-effort-json-parser");
    parser.disableErrorLogging();
    return sliced(parser.parse);
  },
  "partial-json, fence or slice": async ({ load }) => sliced((await load("partial-json")).parse),
  "jsonc-parser, fence or slice": async ({ load }) => {
    const { parse } = await load("jsonc-parser");
    return sliced((text) => parse(text));
  },
  "json5, fence or slice": async ({ load }) => sliced((await load("json5")).default.parse),
  "json-repair-js, fence or slice": async ({ load }) => sliced((await load("json-repair-js")).loads),
  "@toolsycc/json-repair, fence or slice": async ({ load }) => {
    const { repairJson } = (await load("@toolsycc/json-repair")).default;
    return sliced((text) => {
      const result = repairJson(text);
      const value = typeof result === "string" ? JSON.parse(result) : (result?.data ?? result);
      return value;
    });
  },
  "JSON.parse, fence or slice": async () => sliced(JSON.parse),
  "JSON.parse": async () => JSON.parse,
};
