// What must hold for every text, as fast-check properties over an implementation: run by the tests on the sources, and
// for longer by the fuzz script on the built package.
import fc from "fast-check";

const TRICKY = [
  "",
  " ",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "'",
  "`",
  "```",
  "```json\n",
  "~~~",
  "//",
  "/*",
  "*/",
  "#",
  "...",
  "\n",
  "\r\n",
  "\t",
  "é",
  "🚀",
  "\u2028",
  "\ud83d",
  "“",
  "”",
  "’",
  "true",
  "null",
  "None",
  "NaN",
  "1",
  "-",
  "0.5",
  "a",
  "key",
  "word ",
  "<think>",
  "</think>",
  "&quot;",
  "\u001b[31m",
  "\\n",
  "\\u00",
  "C:\\dir\\",
  "\\alpha",
  '": "',
  '", "',
  '"}',
  '"]',
  "data: ",
  "> ",
  "1: ",
  "+",
  "=",
  ";",
  "(",
  ")",
  "__proto__",
  "success",
  "report",
];
const string = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.array(fc.constantFrom(...TRICKY), { maxLength: 5 }).map((parts) => parts.join("")),
);
const key = fc.oneof(
  fc.constantFrom("a", "b", "name", "report", "success", "list", "__proto__", "constructor"),
  string,
);
const { container } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      string,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    tie("container"),
  ),
  container: fc.oneof(
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
const filled = container.filter((value) => Object.keys(value).length > 0);
const written = (value) => fc.constantFrom(0, 1, 2, "\t").map((indent) => JSON.stringify(value, null, indent));
/** JSON text of an object or list. */
const json = filled.chain(written);

const prose = fc
  .array(
    fc.constantFrom(
      "Here is it",
      "the 5' 2\" one",
      "[1]",
      "{topic}",
      "it's",
      "a (b) c",
      "100%",
      "see [docs](u)",
      "a, b",
      "x -> y",
      "é",
      "**bold**",
      "if (a) { b(); }",
    ),
    { maxLength: 4 },
  )
  .map((words) => words.join(" "));
/** Noise around a JSON text, as a function. */
const noise = fc.oneof(
  fc.tuple(prose, prose).map(
    ([before, after]) =>
      (text) =>
        `${before}.\n${text}\n${after}`,
  ),
  fc.tuple(prose, prose, fc.constantFrom("json", "", "JSON")).map(
    ([before, after, lang]) =>
      (text) =>
        `${before}\n\n\`\`\`${lang}\n${text}\n\`\`\`\n${after}`,
  ),
  prose.map((thought) => (text) => `<think>${thought}</think>\n${text}`),
  prose.map((before) => (text) => `${before}\n<result>\n${text}\n</result>`),
  fc.constant((text) => `\u001b[32m${text}\u001b[0m\n`),
  fc.constant((text) => `\ufeff${text}\r\n`),
  fc.constant((text) => JSON.stringify(text)),
  fc.constant((text) => `Loaded cached credentials.\n${text}\n`),
);

const SIGNS = ["{", "}", "[", "]", '"', ",", ":"];

/** Where the signs of a JSON text stand that are not content. */
function structure(text) {
  const places = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      places.push(i);
      for (i++; text[i] !== '"'; i++) if (text[i] === "\\") i++;
      places.push(i);
    } else if (SIGNS.includes(c)) places.push(i);
  }
  return places;
}

const damaged = json.chain((text) => {
  const places = structure(text);
  const at = fc.constantFrom(...places);
  return fc.oneof(
    at.map((i) => text.slice(0, i) + text.slice(i + 1)),
    at.map((i) => text.slice(0, i) + text[i] + text.slice(i)),
    fc
      .tuple(fc.nat({ max: text.length }), fc.constantFrom(...SIGNS))
      .map(([i, sign]) => text.slice(0, i) + sign + text.slice(i)),
    fc.tuple(at, fc.constantFrom(...SIGNS)).map(([i, sign]) => text.slice(0, i) + sign + text.slice(i)),
  );
});

const isJson = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const anyShape = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
/** Fits the one value that is looked for: there is nothing else to choose. */
const only = (wanted) => ({
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => (same(value, wanted) ? { value } : { issues: [{ message: "another value" }] }),
  },
});

/** Each property by what it says. */
export function properties({ extractJson, repairJson, createPartialParser }) {
  const told = (result) => !result.ok || result.repairs.length > 0 || !result.complete;
  return {
    "JSON of an object or list comes back as it is": fc.property(json, (text) => {
      const result = extractJson(text);
      return (
        result.ok &&
        result.source === "whole" &&
        result.repairs.length === 0 &&
        result.complete &&
        same(result.value, JSON.parse(text))
      );
    }),
    "JSON in any noise is found": fc.property(json, noise, (text, around) => {
      const wanted = JSON.parse(text);
      const result = extractJson(around(text), { schema: only(wanted) });
      return result.ok && result.complete && same(result.value, wanted);
    }),
    "every prefix of JSON is incomplete, and never throws": fc.property(
      json.chain((text) => fc.tuple(fc.constant(text), fc.nat({ max: text.length - 1 }))),
      ([text, length]) => {
        const result = extractJson(text.slice(0, length));
        return !result.ok || !result.complete || result.repairs.length > 0;
      },
    ),
    "a damaged text never gives a silent value": fc.property(
      damaged,
      (text) => isJson(text) || told(extractJson(text)),
    ),
    "a damaged text never gives a silent value to a schema": fc.property(
      damaged,
      (text) => isJson(text) || told(extractJson(text, { schema: anyShape })),
    ),
    "a damaged text in a fence never gives a silent value": fc.property(
      damaged,
      (text) => isJson(text) || told(extractJson(`Here:\n\`\`\`json\n${text}\n\`\`\`\nBye.`)),
    ),
    "a damaged text after a word never gives a silent value": fc.property(
      damaged,
      (text) => isJson(text) || told(extractJson(`Answer: ${text}`)),
    ),
    "any text has an answer or an error, and the range lies in it": fc.property(
      fc.oneof(
        fc
          .array(fc.oneof(fc.constantFrom(...TRICKY, ...SIGNS), string), { maxLength: 40 })
          .map((parts) => parts.join("")),
        fc.tuple(damaged, noise).map(([text, around]) => around(text)),
      ),
      (text) => {
        const result = extractJson(text);
        if (!result.ok)
          return (
            typeof result.error.code === "string" &&
            result.error.code !== "schema" &&
            !/RangeError|TypeError/.test(result.error.message)
          );
        const [start, end] = result.range;
        JSON.stringify(result.value);
        return (
          typeof result.value === "object" &&
          start >= 0 &&
          start <= end &&
          end <= text.length &&
          result.repairs.every(({ at, line }) => at >= 0 && at <= text.length && line >= 1)
        );
      },
    ),
    "what repairJson writes is JSON of its value": fc.property(fc.oneof(json, damaged), (text) => {
      try {
        const repaired = repairJson(text);
        return (
          same(JSON.parse(repaired.text), repaired.value) &&
          (isJson(text) || repaired.repairs.length > 0 || !repaired.complete)
        );
      } catch (error) {
        return error.name === "JsonExtractError";
      }
    }),
    "a stream in any pieces ends in the value, and only ever grows": fc.property(
      json,
      fc.array(fc.nat({ max: 12 }), { maxLength: 60 }),
      prose.filter((words) => !/[[{]/.test(words)),
      (text, sizes, before) => {
        const parser = createPartialParser();
        let rest = `${before}\n${text}`;
        for (const size of sizes) {
          parser.push(rest.slice(0, size));
          rest = rest.slice(size);
          JSON.stringify(parser.value);
        }
        parser.push(rest);
        return parser.complete && same(parser.value, JSON.parse(text));
      },
    ),
  };
}
