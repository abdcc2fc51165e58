import { describe, expect, test } from "vitest";
import { z } from "zod";
import { extractJson } from "../src/index.js";

const Person = z.object({ name: z.string(), age: z.number() });
const [ann, eve] = ['{"name":"Ann","age":30}', '{"name":"Eve","age":60}'];
const People = z.array(Person);

const read = (text: string, schema: z.ZodType = Person) => {
  const result = extractJson<unknown>(text, { schema });
  return { value: result.ok ? result.value : undefined, sure: result.ok && result.repairs.every(({ sure }) => sure) };
};

describe("text around a value that says it is no answer makes it unsure", () => {
  test.each([
    ["a comment of HTML", `<!-- ${ann} -->\nNo answer.`],
    ["a comment of code", `// ${ann}\nnull`],
    ["it is struck out", `~~${ann}~~`],
    ["words", `I can't find it. The format would have been e.g. ${ann}`],
    ["an error of a program", `ValueError: could not save ${ann}`],
    ["members behind a comment", `${ann}\n    // pasted\n    "age": 31\n}`],
    ["it is all placeholders", 'Fill in this form:\n{"name": "<first name>", "age": 1, "town": "<town>"}'],
    ["it is given to a call of another language", `query { find(first: 10, filter: ${ann}) { n } }`],
    ["another one in the same sentence", `The answer is ${ann} or ${eve}.`],
    ["another one in a fence of another language", `${ann}\n\nThen:\n\`\`\`assist\n${eve}\n\`\`\``],
    ["a program gives it, of names", 'def read(n, a):\n```python\nreturn {"name": n, "age": 30}\n```'],
    ["words behind it call its values placeholders", `${ann}\n\nNote: these are placeholder values.`],
    ["words behind it call it an example", `${ann}\n\nThis is just an example.`],
    ["words behind it call it wrong", `${ann}\n\nSorry, that is incorrect.`],
    ["words behind it take it back", `\`\`\`json\n${ann}\n\`\`\`\nWait, I made a mistake. The name is Eve.`],
    ["words before it only show a form", `Please paste the text. The output will look like this:\n${ann}`],
    ["words before it forbid it", `Do NOT output ${ann}`],
    ["words before it say that there is none", `I cannot give ${ann}, the page does not say it.`],
    ["words before it tell of another case", `If the page had named one, the answer would be ${ann}`],
    ["words before it ask for a text", `Please paste it, so that I can return ${ann}`],
    ["words before it call it a sample, with the reason", `Here is a sample since I could not read the page:\n${ann}`],
    ["words before it call it a former one, and nothing else", `Old: ${ann}`],
    ["words before it would call it wrong", `A wrong answer would be ${ann}`],
    ["it is commented out in a block", `/* ${ann} */`],
    ["the final answer behind it is another one", `Thought: maybe ${ann}\nFinal Answer: unknown`],
    ["its values are names of variables", `json.dumps({"name": name, "age": 30})`],
    ["its values are types", `type Person = {name: string, age: 30};`],
    ["it names what a function is given", `function f({name: a, age: 30}) {}`],
    ["words in another language", `Falsch:\n${ann}`],
    ["it is assigned in a program", `local person = {name = "Ann", age = 30}`],
    ["a string of SQL holds it", `INSERT INTO t VALUES ('{"name":"Ann O''Dowd","age":30}')`],
  ])("%s", (_, text) => {
    expect(read(text).sure).toBe(false);
  });

  test.each(["... 5 more", "(12 more rows omitted)", "I only included the first one for brevity."])(
    "and a list of which not all is there: %s",
    (words) => {
      expect(read(`[${ann}]\n\n${words}`, People).sure).toBe(false);
    },
  );

  test.each([
    `${ann}\nFor example: ${eve}`,
    `The answer is ${ann}, not ${eve}.`,
    `${ann}\n\n(I chose this instead of ${eve}.)`,
    `Assistant: ${ann}\nUser: ${eve}`,
    `The label is ${ann} and not ${eve} as before.`,
    `${ann}\n\nHuman: And the next?\n\nAssistant: ${eve}\n\nHuman: Thanks!`,
    `${ann}\nUser: And the next?\nAssistant: ${eve}`,
    `${ann}\n\n### Instruction:\nRead the next one.\n\n### Response:\n${eve}`,
    `${ann}<|im_end|>\n<|im_start|>user\nNext?<|im_end|>\n<|im_start|>assistant\n${eve}<|im_end|>`,
    `${ann}\n\nWrong: ${eve}`,
    `Corrected JSON:\n\`\`\`json\n${ann}\n\`\`\`\n\nOriginal JSON:\n\`\`\`json\n${eve}\n\`\`\``,
    `Verwende ${ann} statt ${eve}.`,
    `The right one is ${ann}. Do not use ${eve}, which is older.`,
    `Используй ${ann} вместо ${eve}.`,
    `${ann}\nEjemplo: ${eve}`,
    `## Draft\n${eve}\n\n## User\n${ann}`,
    `Use this:\n${ann}\nDo NOT use the following, it is the old and incorrect one:\n\`\`\`json\n${eve}\n\`\`\``,
    `Output: ${ann}\n\n### Input:\nEve, 31\n### Output: ${eve}`,
  ])("and another one is taken: %s", (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(ann), sure: true });
  });

  test.each([
    `${ann}\n\nThis should be what you need. Let me know if it is not!`,
    `Here is some sample data:\n${ann}`,
    `> Accept: */*\n${ann}`,
    `Here is the answer in JSON format:\n\`\`\`json\n${ann}\n\`\`\``,
    `curl https://api.example\n${ann}`,
    `HTTP/1.1 200 OK\ncontent-type: application/json\n\n${ann}`,
    `Reply as {"name":"<name>","age":1}\n\nHuman: Ann is 30\n\nAssistant: ${ann}`,
    `Here is one (Result: ${ann})`,
    `It works and not\n${ann}`,
    `> Hello\n\n{name: "Ann", age: 30}`,
    `2 + 3\n${ann}`,
    `${eve}\nI see that this is wrong. Corrected list:\n${ann}`,
    `${ann}\n512 tokens`,
    `Here is the data in this format:\n${ann}`,
    `The user is asking me to extract:\n${ann}`,
    `${ann}\n\nI used the real names, and never mind the order.`,
    `status: ok, result: ${ann}`,
    `I cannot say more: ${ann}`,
    `The best choice would be ${ann}`,
    `{"x": 1}, output: ${ann}`,
    `Error: no answer from the first model\n${ann}`,
    `Answer:\n- ${ann}\n- Confidence: high`,
    `"People" # ${ann}`,
  ])("but not other text: %s", (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(ann), sure: true });
  });

  test.each([
    `You wrote ${eve}. Here is the fix for the invalid JSON:\n${ann}`,
    `${eve}\nTranslated from the original: ${ann}`,
    `<|im_start|>system\nReply like ${eve}<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\n${ann}<|im_end|>`,
    `System: Reply like ${eve}\n\nHuman: Who?\n\nAssistant: ${ann}`,
    `${eve}\n<think>\nHuman: asked to mend it\n</think>\n${ann}`,
    `{"name":"<|im_start|>user","age":1}\n\nThat is wrong. Again:\n\n${ann}`,
    `Human: Who is it?\n\nAssistant: ${eve}\n\nHuman: Are you sure?\n\nAssistant: No. ${ann}`,
    `<details><summary>Thoughts</summary>\n> maybe ${eve}\n</details>\n${ann}`,
  ])("the last one is taken, and is not sure where nothing says that another one is none: %s", (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(ann), sure: false });
  });

  test("another one of the same value is none", () => {
    expect(read(`${ann}\n\nAs lines:\n${JSON.stringify(JSON.parse(ann), null, 2)}`).sure).toBe(true);
  });

  test.each([
    `${ann}\n\nNote: do not send something like ${eve}; the API refuses it.`,
    `Use this one:\n${ann}\n\n(The earlier version, ${eve}, was too old and must not be used.)`,
    `We go with ${ann}. Rejected: ${eve}`,
    `${ann}\nI also considered ${eve}.`,
    `${ann}\nI rejected this earlier draft because of her age: ${eve}`,
    `Use this:\n${ann}\nNo text for the age, please. This would be wrong:\n${eve}`,
    `Option A (my choice): ${ann}\n\nOption B, if there is time (not chosen): ${eve}`,
    `Current value:\n${ann}\n\nPrevious value (until 2 March):\n${eve}`,
    `${ann}\n\nTo add others use the template {"name": "NAME", "age": 0}.`,
  ])("what is rejected, old or a template is none: %s", (text) => {
    expect(read(text).value).toEqual(JSON.parse(ann));
  });
});

test.each([
  ["a hash before it", `# ${ann}`],
  ["what it was", `The previous answer was ${ann}.`],
  ["an attempt that failed, on the line before it", `Attempt 1 failed:\n${ann}`],
  ["an object around it, as Ruby prints one", `#<Visit id: 1, person: ${ann}>`],
  ["one that breaks off", `{"person": {"first": "Ann"\n\nHer mother:\n${eve}`],
])("%s leaves a doubt", (_, text) => {
  expect(read(text).sure).toBe(false);
});

test.each([
  [
    "signs of HTML in an element that holds answers",
    '<answer>{"name":"Tom &amp; Jerry","age":30}</answer>',
    "Tom &amp; Jerry",
  ],
  ["backslashes in an option of a shell", `--data='{"name":"C:\\\\temp","age":30}'`, "C:\\temp"],
  ["what breaks off and is sent again", `{"name":"Ann","age":3\nSorry, that was cut. Again:\n${ann}`, "Ann"],
])("%s leave none", (_, text, name) => {
  expect(read(text)).toEqual({ value: { name, age: 30 }, sure: true });
});

test("lists beside each other are one, and it is not sure", () => {
  expect(read(`[${ann}][${eve}]`, People)).toEqual({ value: [JSON.parse(ann), JSON.parse(eve)], sure: false });
});

test("a list of bare words may have points in them", () => {
  expect(read("[Node.js, React]", z.array(z.string()))).toEqual({ value: ["Node.js", "React"], sure: false });
});

test("what a correction tells of is not the correction", () => {
  for (const words of ["I corrected the age, which was:", "I updated the record; before that it was:"])
    expect(read(`${ann}\n\n${words}\n${eve}`).sure).toBe(false);
});

test("a hash or two strokes before a value may be a comment, a title or an item", () => {
  expect(read(`${ann}\n-- ${eve}`).sure).toBe(false);
  expect(read(`# ${ann}\n# ${eve}`, People)).toEqual({ value: [JSON.parse(ann), JSON.parse(eve)], sure: false });
});

test("what a value is compared with costs no square", () => {
  // So many that the square takes longer than a test may.
  const keys = Array.from({ length: 30_000 }, (_, nth) => [`k${nth}`, 1]);
  const text = `${'{"k0": 1}\nx\n'.repeat(30_000)}${JSON.stringify({ a: 1, b: 2, ...Object.fromEntries(keys) })}`;
  const schema = z.looseObject({ a: z.number(), b: z.number() });
  expect(extractJson(text, { schema })).toMatchObject({ ok: true, value: { a: 1, b: 2 } });
});

describe("a list", () => {
  const Numbers = z.array(z.number());

  test.each([
    ["rows that do not fit", `[${ann}]\nPage 2: [{"name":"Kid","age":"?"}]`],
    ["other rows", `Adults: [${ann}]\nChildren: [${eve}]`],
    ["a row by itself", `[${ann}] and {"name":"Kid","age":null}`],
  ])("beside %s is not sure", (_, text) => {
    expect(read(text, People).sure).toBe(false);
  });

  test.each(["The range is [0, 100]. The score is 57.", "I can't list them (see [12]).", "See [1, 2, 3] for more."])(
    "of numbers in a sentence is not sure: %s",
    (text) => {
      expect(read(text, Numbers).sure).toBe(false);
    },
  );

  test.each(["[3, 5]\n\nSources:\n[1] https://example.com", "[3, 5]\n\n[2] see the annex"])(
    "counts for more than the mark of a source: %s",
    (text) => {
      expect(read(text, Numbers).value).toEqual([3, 5]);
    },
  );

  test("is no box to tick", () => {
    expect(extractJson("- [x] done\n- [ ] todo", { schema: z.array(z.string()) }).ok).toBe(false);
  });
});

describe("whether another value may have been meant", () => {
  const Names = z.array(z.string());

  test.each<[string, string, z.ZodType]>([
    ["an empty list", 'Matches: [].\nOthers: ["a","b"]', Names],
    ["one that is a correction, too", 'Corrected fruits: ["apple"]\nCorrected vegetables: ["leek"]', Names],
    ["one before it, if nothing was called Before", 'Morning ["egg"]\n\nAfter: ["cake"]', Names],
    ["one behind it that must not be sent twice", `One: ${eve}\n\nTwo: ${ann} which must not be sent twice`, Person],
    [
      "one behind the next turn that corrects it",
      `${eve}\n\nUser: No.\n\nAssistant: Sorry.\n\nCorrected:\n${ann}`,
      Person,
    ],
    ["one that is named beside it", `See ${eve}.\n\nThe person (not the dog):\n${ann}`, Person],
  ])("%s", (_, text, schema) => {
    expect(read(text, schema).sure).toBe(false);
  });

  test.each<[string, string, z.ZodType]>([
    ["the same with other types", `{"name":"Ann","age":"30"}\n\nWith the age as a number:\n${ann}`, Person],
    ["the same with more members", `{"name":"Ann","age":30,"note":"x"}\n\nWithout the note:\n${ann}`, Person],
    ["the same as a list", `[${ann}]\n\nor as one object:\n${ann}`, People],
    [
      "what a tool was given",
      'I called find with {"query":"x"}.\n\n{"summary":"ok"}',
      z.record(z.string(), z.unknown()),
    ],
    ["what was before", `Before:\n${eve}\n\nAfter:\n${ann}`, Person],
  ])("not %s", (_, text, schema) => {
    expect(read(text, schema).sure).toBe(true);
  });

  test("nor if the caller said which", () => {
    const result = extractJson(`First:\n${ann}\n\nSecond:\n${eve}`, { schema: Person, prefer: "first" });
    expect(result).toMatchObject({ value: JSON.parse(ann), repairs: [] });
  });
});
