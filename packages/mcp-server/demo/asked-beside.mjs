// What a prompt asks for beside the report on the recorded topic: queries that the person decided, words of the person's own
// documents, data in a shape. A model would understand the prompt; here its sections are read.

/** What the question says; empty where there is none. */
export const questionIn = (prompt) => sectionOf("question", prompt) ?? "";

/** The queries of a plan that the person gave back; `undefined`: they are the model's to choose. */
export function plannedQueries(prompt) {
  return sectionOf("queries", prompt)
    ?.split("\n")
    .map((line) => line.replace(/^- /, "").trim())
    .filter((line) => line !== "");
}

/** The folders of the person's documents; empty for none. */
export function foldersIn(prompt) {
  const [, addresses = ""] = /the address of their folder with `find`: (.*)/.exec(prompt) ?? [];
  return addresses.split(" ").filter((address) => address.startsWith("file:"));
}

/** Whether the research may use the web. */
export const isWithoutWeb = (prompt) => prompt.includes("The web is not used in this research");

/**
 * The line of the documents that shares the most words with the question, as a claim with its quotation.
 * @param results what the page tool gave, oldest first
 */
export function claimOfDocuments(results, question) {
  const wanted = new Set(wordsOf(question));
  const lines = results.flatMap((result) => {
    const places = [...result.matchAll(/\[(file:\S+) at \d+\]\n/g)];
    return places.flatMap(({ 0: head, 1: url, index }, at) =>
      result
        .slice(index + head.length, places[at + 1]?.index)
        .replace(/<\/page-[\s\S]*/, "")
        .split(/\n|(?<=[.!?]) /)
        .map((line) => ({ url, quote: line.trim() })),
    );
  });
  const scored = lines
    .filter(({ quote }) => quote !== "" && !quote.startsWith("#"))
    .map((line) => ({ ...line, score: wordsOf(line.quote).filter((word) => wanted.has(word)).length }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { score: 0 });
  return best.score === 0
    ? undefined
    : { text: best.quote, sources: [{ url: best.url, quote: best.quote }], status: "supported" };
}

/**
 * Data in the shape that a prompt asks for, as far as facts are known: `{ data, data_claims }`. Empty where it asks for none.
 * @param facts `{ names, value, claim }`: names of a value that mean this fact, and the place of its claim, from 1
 */
export function dataAskedFor(prompt, facts) {
  const text = sectionOf("schema", prompt);
  if (text === undefined) return {};
  const whole = JSON.parse(text);
  const data_claims = {};
  const data = filled(whole, { pointer: "", name: "" });
  return { data, data_claims };

  function filled(schema, { pointer, name }) {
    const { type, properties, items, description = "" } = resolved(schema);
    const types = [type].flat();
    if (types.includes("object") || properties !== undefined) {
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([key, value]) => [
          key,
          filled(value, { pointer: `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, name: key }),
        ]),
      );
    }
    if (types.includes("array")) {
      const first = filled(items ?? {}, { pointer: `${pointer}/0`, name });
      return isEmpty(first) ? [] : [first];
    }
    const fact = facts.find(({ names }) => names.test(`${name} ${description}`));
    if (fact === undefined) return null;
    data_claims[pointer] = fact.claim;
    return types.includes("string") ? String(fact.value) : fact.value;
  }

  function resolved(schema) {
    const place = /^#\/(.+)/.exec(schema?.$ref ?? "")?.[1].split("/");
    const named = place?.reduce((part, key) => part?.[key], whole) ?? schema;
    return named?.anyOf?.[0] ?? named?.oneOf?.[0] ?? named ?? {};
  }
}

function isEmpty(value) {
  return value === null || (typeof value === "object" && Object.values(value).every(isEmpty));
}

/** What stands between the last markers of this name. */
function sectionOf(name, prompt) {
  const [, , text] =
    [...prompt.matchAll(new RegExp(`<${name}-([\\w-]+)>\\n([\\s\\S]*?)\\n</${name}-\\1>`, "g"))].at(-1) ?? [];
  return text;
}

function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
