import { expect, test } from "vitest";
import { builtInPrompts, checkRequest, createMemoryRunStore, deepSearch, search } from "../src/index.js";
import { library } from "./reading.js";
import { answer, draft, drain, drainFailing, failure, final, recorded, world } from "./world.js";

const LAKE = "https://lakes.example.org/vessin";
const TEXT = `# Lake Vessin

Lake Vessin covers an area of 212 square kilometres. It was first measured on 12 May 1894 by Ida Brandt.`;
const AREA = "Lake Vessin covers an area of 212 square kilometres.";
const FIRST = "It was first measured on 12 May 1894 by Ida Brandt.";
const quoted = (text: string, quote = text) => ({ text, sources: [{ url: LAKE, quote }], status: "supported" });
const claims = [quoted(AREA), quoted(FIRST), quoted("Lake Vessin is 41 m deep.", AREA)];

const nullable = (type: string) => ({ type: [type, "null"] });
const outputSchema = {
  type: "object",
  properties: {
    area: nullable("number"),
    depth: nullable("number"),
    measured: { type: "object", properties: { by: { type: "string" }, on: nullable("string") }, required: ["by"] },
    source: nullable("string"),
  },
  required: ["area", "depth"],
};

const { pages, reading } = library();

/** A search whose model gives this beside its report. */
async function asked(given: object, schema: object = outputSchema, ...more: object[]) {
  const turns = [given, ...more].map((data) => reading({ [LAKE]: TEXT }, answer("212 km².", { claims, ...data })));
  const { deps, prompts, requests } = world(turns, { pages, prompts: builtInPrompts });
  const { report, logs } = await drain(search({ query: "What is known of it?", outputSchema: schema }, deps));
  return { report, logs, prompts, requests };
}

test("the data fits the schema, and each leaf has the pointer to the claim and the quotation that carry it", async () => {
  const data = { area: 212, depth: null, measured: { by: "Ida Brandt", on: "1894-05-12" }, source: LAKE };
  const data_claims = { "/area": 1, "/measured": 2, "/source": 1 };
  const { report, prompts } = await asked({ data, data_claims });
  expect(prompts()[0]).toContain(JSON.stringify(outputSchema));
  expect(report.data).toEqual(data);
  expect(report.metadata.data_proof).toEqual({
    "/area": { claim: "/metadata/evidence/claims/0", quote: "/metadata/evidence/claims/0/quotes/0" },
    "/measured/by": { claim: "/metadata/evidence/claims/1", quote: "/metadata/evidence/claims/1/quotes/0" },
    "/measured/on": { claim: "/metadata/evidence/claims/1", quote: "/metadata/evidence/claims/1/quotes/0" },
    "/source": { claim: "/metadata/evidence/claims/0", quote: "/metadata/evidence/claims/0/quotes/0" },
  });
  expect(report.metadata.missing).toEqual(["/depth"]);
});

test("what no quotation holds is null where the schema allows it, and named in missing in any case", async () => {
  const { report } = await asked({
    data: { area: 221, depth: 41, measured: { by: "Ada Brand", on: "1894-05-21" }, source: "https://other.example/" },
    data_claims: { "/area": 1, "/depth": 3, "/measured/by": 2, "/measured/on": 2, "/source": 9 },
  });
  expect(report.data).toEqual({ area: null, depth: null, measured: { by: "Ada Brand", on: null }, source: null });
  expect(report.metadata).toMatchObject({
    data_proof: {},
    missing: ["/area", "/depth", "/measured/by", "/measured/on", "/source"],
  });
});

test.each([
  ["a grade", "A+", "The lake was rated A+ in 2024.", true],
  ["a grade that is not there", "A+", "A lake was rated B in 2024.", false],
  ["a letter", "B", "The lake was rated B in 2024.", true],
  ["a letter that is a part of words", "B", "The Big Lake was rated well in 2024.", false],
  ["a sign", "$", "The lake was sold in 2024.", false],
  [
    "a name without blanks around it",
    "東京",
    "日本の首都は東京であり、江戸に幕府が開かれた場所でもあって、今も国の政治と経済の中心として広く知られている。",
    true,
  ],
  [
    "a name that is not there",
    "京都",
    "日本の首都は東京であり、江戸に幕府が開かれた場所でもあって、今も国の政治と経済の中心として広く知られている。",
    false,
  ],
  [
    "one letter that is a word",
    "京",
    "日本の首都は東京であり、江戸に幕府が開かれた場所でもあって、今も国の政治と経済の中心として広く知られている。",
    true,
  ],
  ["one that is not there", "京", "The lake covers 212 square kilometres.", false],
  ["a sentence", "The lake freezes in every winter", "The lake freezes in winter every year.", true],
  ["its opposite", "The lake does not freeze in winter every year", "The lake freezes in winter every year.", false],
])("a text is proven by its words: %s", async (_, value, sentence, isProven) => {
  const page = reading(
    { [LAKE]: `# Lake Vessin\n\n${sentence}` },
    answer("It is known.", { claims: [quoted(sentence)], data: { what: value }, data_claims: { "/what": 1 } }),
  );
  const { deps } = world([page], { pages, prompts: builtInPrompts });
  const schema = { type: "object", properties: { what: nullable("string") } };
  const { report } = await drain(search({ query: "What is known of it?", outputSchema: schema }, deps));
  expect(report.metadata.evidence?.claims).toMatchObject([{ proof: "quoted" }]);
  expect(report.data).toEqual({ what: isProven ? value : null });
  expect(report.metadata.missing ?? []).toEqual(isProven ? [] : ["/what"]);
});

test("without a claim for it a value proves nothing, however true it is", async () => {
  const { report } = await asked({ data: { area: 212, depth: null } });
  expect(report).toMatchObject({ data: { area: null, depth: null }, metadata: { missing: ["/area", "/depth"] } });
});

test("what the model writes in another way is read by the schema: no further run", async () => {
  const { report, requests } = await asked({ data: { area: "212", depth: "null" }, data_claims: { area: "1" } });
  expect(report.data).toMatchObject({ area: 212 });
  expect(report.metadata.data_proof).toHaveProperty(["/area", "claim"]);
  expect(requests).toHaveLength(1);
});

test("data of another shape is asked for again, and the problem is told", async () => {
  const right = { data: { area: 212, depth: null }, data_claims: { "/area": 1 } };
  const { report, logs } = await asked({ data: { area: { of: "what" } } }, outputSchema, right);
  expect(report.data).toEqual(right.data);
  expect(logs.join("\n")).toMatch(/Attempt 1\/3: the answer cannot be read .*data/);
});

test("when no attempt gives data that fits, the report is there, and says why there is none", async () => {
  const wrong = { data: { area: { of: "what" }, depth: 1 } };
  const { report } = await asked(wrong, outputSchema, wrong, wrong);
  expect(report).toMatchObject({
    result: "212 km².",
    data: null,
    metadata: { missing: [""], warnings: [expect.stringMatching(/no data that fits the schema: \/area: /)] },
  });
});

test("lists, and schemas that refer to themselves", async () => {
  const tree = {
    $ref: "#/$defs/place",
    $defs: {
      place: {
        type: "object",
        properties: {
          name: { type: "string" },
          area: nullable("number"),
          parts: { type: "array", items: { $ref: "#/$defs/place" } },
        },
        required: ["name", "parts"],
        additionalProperties: false,
      },
    },
  };
  const data = { name: "Lake Vessin", parts: [{ name: "Lake Vessin", area: 212, parts: [] }] };
  const { report } = await asked({ data, data_claims: { "/name": 1, "/parts/0": 1 } }, tree);
  expect(report).toMatchObject({ data, metadata: { missing: [] } });
  expect(Object.keys(report.metadata.data_proof ?? {})).toEqual(["/name", "/parts/0/name", "/parts/0/area"]);
});

test("a deep search asks for data in every round; one that goes on knows its schema", async () => {
  const right = { data: { area: 212, depth: null }, data_claims: { "/area": 1 }, claims };
  const store = createMemoryRunStore();
  const { deps, prompts } = world(
    [
      recorded(draft("Some.", right)),
      failure("AUTH_REQUIRED", "nobody is signed in"),
      reading({ [LAKE]: TEXT }, final("All.", right)),
    ],
    { pages, store, prompts: builtInPrompts },
  );
  await drain(deepSearch({ query: "What?", outputSchema }, deps));
  const [id = ""] = await store.list();
  const { report } = await drain(deepSearch({ resume: id }, deps));
  expect(prompts().every((prompt) => prompt.includes(JSON.stringify(outputSchema)))).toBe(true);
  expect(report).toMatchObject({ verified: true, data: { area: 212, depth: null }, metadata: { missing: ["/depth"] } });
});

test("names that objects inherit are names like others", async () => {
  const schema = JSON.parse('{"type":"object","properties":{"constructor":{"type":["number","null"]}}}');
  const data = JSON.parse('{"constructor":212,"toString":"Lake Vessin"}');
  const { report } = await asked({ data, data_claims: { "/constructor": 1 } }, schema);
  expect(Object.keys(report.metadata.data_proof ?? {})).toEqual(["/constructor"]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each<[string, unknown, RegExp]>([
  ["no object", [], /it must be an object/],
  ["a text", "{}", /it must be an object/],
  ["true", true, /it must be an object/],
  ["an unknown type", { type: "strin" }, /\/type: expected one of string, number/],
  ["properties that are a list", { type: "object", properties: [] }, /\/properties: /],
  ["required that is a text", { properties: { a: { required: "a" } } }, /\/properties\/a\/required: /],
  ["a limit that is a text", { properties: { a: { minimum: "3" } } }, /\/properties\/a\/minimum: expected number/],
  ["a property that is no schema", { properties: { a: 5 } }, /\/properties\/a: expected a schema/],
  ["a reference to nowhere", { $ref: "#/$defs/x" }, /\/\$ref: "#\/\$defs\/x" leads nowhere/],
  ["a reference to the web", { $ref: "https://example.org/s.json" }, /leads nowhere in this schema/],
  ["one that is only itself", { $ref: "#" }, /asks for itself without end/],
  [
    "one that never ends",
    { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] },
    /asks for itself without end/,
  ],
  ["a list that is never empty", { type: "array", items: { $ref: "#" }, minItems: 1 }, /asks for itself without end/],
  ["false", { allOf: [false] }, /nothing fits it/],
  [
    "an empty range",
    { type: "number", minimum: 5, maximum: 3 },
    /\/minimum: nothing fits: minimum 5 is above maximum 3/,
  ],
  ["words that are numbers", { type: "number", enum: ["a"] }, /\/enum: nothing fits/],
  [
    "no regular expression",
    { type: "string", pattern: "(" },
    /\/pattern: "\(" is not accepted as a regular expression/,
  ],
  ["one that may take for ever", { type: "string", pattern: "^(a+)+$" }, /must not repeat a group that itself repeats/],
  ["alternatives that are repeated", { type: "string", pattern: "^(a|a)*$" }, /or has alternatives/],
  ["a condition", { if: { type: "string" }, else: { minLength: 3 } }, /if\/then\/else/],
  ["too much", { description: "x".repeat(50_001) }, /at most 50000/],
])("refused before any run, with what is wrong and where: %s", async (_, schema, message) => {
  const { deps, requests } = world([]);
  const { error } = await drainFailing(search({ query: "What?", outputSchema: schema as object }, deps));
  expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(message) });
  expect(requests).toEqual([]);
});

test("a schema that refers to itself in a circle of objects is refused", () => {
  const circle: Record<string, unknown> = {};
  circle["properties"] = { circle };
  expect(() => checkRequest({ query: "What?", outputSchema: circle })).toThrow(/plain data/);
});

test.each([
  [{ type: "string", pattern: "^\\d{4}-\\d\\d$" }],
  [{ type: "string", pattern: "^[A-Z][a-z]+ [a-z]+$" }],
  [{ type: "string", pattern: "(?:km|mi)$" }],
  [{ type: "object", patternProperties: { "^x-": { type: "number" } } }],
  [{ type: "array", items: [{ type: "number" }, { type: "string" }] }],
  [{ anyOf: [{ type: "object", properties: { next: { $ref: "#" } }, required: ["next"] }, { type: "null" }] }],
  [{}],
])("taken: %j", (schema) => {
  expect(() => checkRequest({ query: "What?", outputSchema: schema })).not.toThrow();
});

test.each<[object, unknown, boolean]>([
  [{ properties: { a: { minimum: 3 } }, required: ["a"] }, { a: 2 }, false],
  [{ properties: { a: { minimum: 3 } }, required: ["a"] }, { a: 4 }, true],
  [{ properties: { a: {} }, required: ["a"] }, [], false],
  [{ allOf: [{ properties: { a: { type: "number" } } }, { required: ["a"] }] }, {}, false],
  [{ allOf: [{ properties: { a: { type: "number" } } }, { required: ["a"] }] }, { a: 1 }, true],
  [{ properties: { a: { type: "number" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: "x" }, false],
  [{ properties: { a: { type: "number" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] }, { c: 1 }, false],
  [{ items: { maxLength: 2 } }, ["abc"], false],
  [{ type: "object", properties: { default: { type: "number" } } }, { default: "x" }, false],
  [{ type: "object", properties: { a: { type: "number", default: 5 } }, required: ["a"] }, {}, false],
])("a value is looked at by %j: %j", async (schema, data, fits) => {
  const { report } = await asked({ data }, schema, { data }, { data });
  expect(report.metadata.missing?.[0] === "").toBe(!fits);
});
