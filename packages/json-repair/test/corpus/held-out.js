// Cases in the categories of `public.jsonl`, written apart from the code, with what a reader would take as the answer.

const cases = [];
const numbers = {};

/** @param {string} category @param {string} input @param {unknown} expect @param {"search" | "deep_search" | "rows"} [schemaHint] */
function add(category, input, expect, schemaHint) {
  numbers[category] = (numbers[category] ?? 0) + 1;
  cases.push({ id: `${category}-${numbers[category]}`, category, input, expect, ...(schemaHint && { schemaHint }) });
}

const NONE = { $none: true };
const ANY = { $any: true };
const oneOf = (...values) => ({ $oneOf: values });
const optional = (value) => ({ $optional: value });

const tides = {
  success: true,
  report: "Spring tides follow the new and the full moon by about a day and a half.",
  metadata: { sources_visited: ["https://tides.example/spring", "https://sea.example/moon"] },
};
const TIDES = JSON.stringify(tides);
const TIDES2 = JSON.stringify(tides, null, 2);
const bridge = {
  success: true,
  verified: true,
  report: "The bridge was opened on 3 May 1937 [1]. It carries six lanes [2].",
  metadata: {
    sources_visited: ["https://bridges.example/1937"],
    search_queries_used: ["bridge opening date", "bridge lanes"],
    confidence: 0.85,
  },
};
const BRIDGE = JSON.stringify(bridge);
const BRIDGE2 = JSON.stringify(bridge, null, 2);
const told = (report) => ({ success: true, report });
const str = (value) => JSON.stringify(value);

// clean
add("clean", TIDES2, tides, "search");
add("clean", BRIDGE, bridge, "deep_search");
add("clean", `\n\n  ${TIDES}  \n`, tides, "search");
add("clean", '{"empty":{},"list":[],"text":"","zero":0,"no":false,"nothing":null}', { empty: {}, list: [], text: "", zero: 0, no: false, nothing: null });
add("clean", '[[1,[2,[3]]],{"k":[{}]}]', [[1, [2, [3]]], { k: [{}] }]);
add("clean", '{"path":"C:\\\\temp\\\\new","re":"^\\\\d+$","u":"\\u00e9\\ud83d\\ude80"}', { path: "C:\\temp\\new", re: "^\\d+$", u: "é🚀" });
add("clean", '{"a":1e3,"b":-0.5,"c":1.5E-7}', { a: 1000, b: -0.5, c: 1.5e-7 });
add("clean", '{"a":"// no comment","b":"/* none */","c":"x, }","d":"True None","e":"&quot;"}', { a: "// no comment", b: "/* none */", c: "x, }", d: "True None", e: "&quot;" });
add("clean", '{"k":1,"k":2}', { k: 2 });
add("clean", "[]", []);
add("clean", "{}", {});
add("clean", '{"a b":1,"":2,"ü":3}', { "a b": 1, "": 2, ü: 3 });

// fence
add("fence", `Here you go:\n\n\`\`\`json\n${TIDES2}\n\`\`\``, tides, "search");
add("fence", `\`\`\`\n${TIDES}\n\`\`\``, tides, "search");
add("fence", `\`\`\`JSON\n${BRIDGE2}\n\`\`\`\nDone.`, bridge, "deep_search");
add("fence", `\`\`\`json5\n{a: 1, b: 'x',}\n\`\`\``, { a: 1, b: "x" });
add("fence", `\`\`\`jsonc\n{"a": 1, // one\n"b": 2}\n\`\`\``, { a: 1, b: 2 });
add("fence", `\`\`\`javascript\n${TIDES2}\n\`\`\``, tides, "search");
add("fence", `\`\`\`json ${TIDES} \`\`\``, tides, "search");
add("fence", `\`\`\`json${TIDES}\`\`\``, tides, "search");
add("fence", `~~~json\n${BRIDGE}\n~~~`, bridge, "deep_search");
add("fence", `\`\`\`\`json\n${TIDES2}\n\`\`\`\``, tides, "search");
add("fence", `The answer is \`${TIDES}\` as asked.`, tides, "search");
add("fence", `1. Result:\n\n   \`\`\`json\n   {"a": 1,\n    "b": [2]}\n   \`\`\`\n`, { a: 1, b: [2] });
add("fence", `\`\`\`json\n${TIDES2}\n\`\`\`\n\n\`\`\`bash\necho {done}\n\`\`\``, tides, "search");
add("fence", `\`\`\`python\nd = {'a': 1}\n\`\`\`\n\n\`\`\`json\n${TIDES}\n\`\`\``, tides, "search");
add("fence", `\`\`\`json\r\n{"a": 1,\r\n"b": "x"}\r\n\`\`\`\r\n`, { a: 1, b: "x" });
add("fence", `\`\`\`\njson\n${TIDES}\n\`\`\``, tides, "search");
add("fence", `\`\`\`json\n\n\n${TIDES}\n\n\n\`\`\`\n\n`, tides, "search");
add("fence", `"""json\n${TIDES}\n"""`, tides, "search");
add("fence", `'''json\n${TIDES}\n'''`, tides, "search");
add("fence", `json\n${TIDES}`, tides, "search");
add("fence", `JSON: ${TIDES}`, tides, "search");
add("fence", `\`\`\`json\n[{"id": 1}, {"id": 2}]\n\`\`\``, [{ id: 1 }, { id: 2 }]);
add("fence", `\`\`\`json title="answer.json"\n${TIDES}\n\`\`\``, tides, "search");
add("fence", `> \`\`\`json\n> {"a": 1,\n>  "b": 2}\n> \`\`\``, { a: 1, b: 2 });
add("fence", `Text \`\`\`json\n{"ok": true}\n\`\`\` and more text with \`code\`.`, { ok: true });
add("fence", `\`\`json\n${TIDES}\n\`\``, tides, "search");
add("fence", `\`\`\`json\n\`\`\`json\n${TIDES}\n\`\`\`\n\`\`\``, tides, "search");
add("fence", `\`\`\`json\n${TIDES}\n\`\`\`json`, tides, "search");

// fence-unclosed
add("fence-unclosed", `\`\`\`json\n${TIDES2}`, tides, "search");
add("fence-unclosed", `\`\`\`json\n${TIDES2}\n\`\``, tides, "search");
add("fence-unclosed", `Sure!\n\n\`\`\`\n${BRIDGE2}\n`, bridge, "deep_search");
add("fence-unclosed", '```json\n{"success": true, "verified": false, "report": "The first half', { success: true, verified: false, report: "The first half" }, "deep_search");
add("fence-unclosed", '```json\n{"success": true, "report": "cut here\n```', { success: true, report: "cut here" }, "search");
add("fence-unclosed", '```json\n{"a": [1, 2, {"b": "c"', { a: [1, 2, { b: "c" }] });
add("fence-unclosed", `${TIDES2}\n\`\`\``, tides, "search");
add("fence-unclosed", '```json\n{"items": ["x", "y"],\n```', { items: ["x", "y"] });

// fence-in-string
const code = "Use it so:\n\n```ts\nconst a = { b: [1] };\nif (a) {\n  run(`x`);\n}\n```\n\nand then\n\n```\nplain\n```\nEnd.";
add("fence-in-string", str(told(code)), told(code), "search");
add("fence-in-string", `\`\`\`json\n${str(told(code))}\n\`\`\``, told(code), "search");
add("fence-in-string", `Here:\n\`\`\`json\n${JSON.stringify(told(code), null, 4)}\n\`\`\`\nGood luck.`, told(code), "search");
add("fence-in-string", `\`\`\`json\n{"success": true, "report": "Run:\n\`\`\`bash\nnpm i\n\`\`\`\nDone"}\n\`\`\``, told("Run:\n```bash\nnpm i\n```\nDone"), "search");
add("fence-in-string", str({ md: '```json\n{"inner": true}\n```' }), { md: '```json\n{"inner": true}\n```' });
add("fence-in-string", `Answer:\n${str({ md: '```json\n{"inner": true}\n```' })}`, { md: '```json\n{"inner": true}\n```' });
add("fence-in-string", `\`\`\`json\n${str({ md: '```json\n{"inner": true}\n```' })}\n\`\`\``, { md: '```json\n{"inner": true}\n```' });
add("fence-in-string", `\`\`\`json\n{"success": true, "report": "see \`\`\`json\\n{\\"success\\": true, \\"report\\": \\"inner\\"}\\n\`\`\`"}\n\`\`\``, told('see ```json\n{"success": true, "report": "inner"}\n```'), "search");
add("fence-in-string", `\`\`\`json\n{"success": true, "report": "open \`\`\`js\\nf()", }\n\`\`\``, told("open ```js\nf()"), "search");
add("fence-in-string", `{"report": "a ~~~ b \`\`\` c", "success": true,}`, told("a ~~~ b ``` c"), "search");
add("fence-in-string", `\`\`\`json\n{\n  "success": true,\n  "report": "# T\n\n\`\`\`py\nd = {\\"k\\": [1, 2]}\nprint(d)\n\`\`\`\n\nok"\n}\n\`\`\``, told('# T\n\n```py\nd = {"k": [1, 2]}\nprint(d)\n```\n\nok'), "search");

// prose
add("prose", `Certainly! ${TIDES} Let me know if you need more.`, tides, "search");
add("prose", `I looked at {a} and {b: c} first.\n\n${BRIDGE2}\n\nHope it helps :)`, bridge, "deep_search");
add("prose", `As [1] and [2, 3] say:\n${TIDES}\n[1] tides.example`, tides, "search");
add("prose", `He said "look at {this}" and left. ${TIDES}`, tides, "search");
add("prose", `The set {x | x > 0} is open.\n\n{"set": "open"}`, { set: "open" });
add("prose", `for (const k in o) { if (o[k]) { delete o[k]; } }\n${TIDES}`, tides, "search");
add("prose", `It's the 6' 2" player's record: ${TIDES}`, tides, "search");
add("prose", `- [ ] check\n- [x] done\n\n${TIDES}`, tides, "search");
add("prose", `See [the docs](https://d.example/{id}) for more.\n${TIDES}`, tides, "search");
add("prose", `$\\frac{1}{2}$ of the data: {"half": 0.5}`, { half: 0.5 });
add("prose", `Result -> {"v": [1, 2, 3]} <- end`, { v: [1, 2, 3] });
add("prose", `**Answer:**{"v":1}`, { v: 1 });
add("prose", `The values were {1, 2, 3}; the answer: {"sum": 6}`, { sum: 6 });
add("prose", `Dear user,\n\n${TIDES2}\n\nBest,\nA {model}`, tides, "search");
add("prose", `I found 3 results [see below].\n{"n": 3}`, { n: 3 });
add("prose", `Output (JSON):{"n":3}.`, { n: 3 });
add("prose", `"Here is the JSON you asked for:" ${TIDES}`, tides, "search");
add("prose", `{ "n": 3 }\n\nNote: { and } are braces.`, { n: 3 });
add("prose", `Here's a smiley :{ and the data: {"n": 3}`, { n: 3 });
add("prose", `Template: {{name}} and {{ city }}.\n\n{"name": "Ann", "city": "Bonn"}`, { name: "Ann", city: "Bonn" });
add("prose", `The function f(x) = {x if x > 0, 0 otherwise}. ${BRIDGE}`, bridge, "deep_search");
add("prose", `My answer, as JSON, with the report: ${TIDES}, which I checked twice.`, tides, "search");
add("prose", `The array a[0] is [ ]. Data: {"a": [0]}`, { a: [0] });
add("prose", `<p>Result</p>{"n": 3}<br>`, { n: 3 });
add("prose", `Result: {"a": 1, "b": {"c": [1, 2]}}; that's it!`, { a: 1, b: { c: [1, 2] } });
add("prose", `I can't use "{" alone. ${TIDES}`, tides, "search");
add("prose", `Step 1: gather [sources].\nStep 2: write {report}.\nStep 3:\n${TIDES}\nStep 4: done {ok}.`, tides, "search");

// multi-block
const draft = { ...tides, report: "A first try." };
add("multi-block", `${str(draft)}\n\nWait, that lacks detail. Final:\n\n${TIDES}`, tides, "search");
add("multi-block", `\`\`\`json\n${str(draft)}\n\`\`\`\nRevised:\n\`\`\`json\n${TIDES}\n\`\`\``, tides, "search");
add("multi-block", `Format: \`\`\`json\n{"success": true, "report": "<your report>", "metadata": {"sources_visited": ["..."]}}\n\`\`\`\n\n\`\`\`json\n${TIDES2}\n\`\`\``, tides, "search");
add("multi-block", `${TIDES}\n\nI kept to the shape {"success": true, "report": "string"}.`, tides, "search");
add("multi-block", `{"tool": "google_web_search", "args": {"query": "tides"}}\n\n${TIDES}`, tides, "search");
add("multi-block", `{"status": 429}\n{"status": 200}\n\n${BRIDGE}`, bridge, "deep_search");
add("multi-block", `${BRIDGE}\n\n{"usage": {"input": 10, "output": 20}}`, bridge, "deep_search");
add("multi-block", `Config was {"a": 1}. Result:\n\n{"answer": {"value": 42, "unit": "km"}, "notes": ["long", "longer"]}`, { answer: { value: 42, unit: "km" }, notes: ["long", "longer"] });
add("multi-block", `Before: {"n": 1, "m": 2}\nAfter: {"n": 3, "m": 4}`, { n: 3, m: 4 });
add("multi-block", `Input example:\n\`\`\`json\n{"q": "x"}\n\`\`\`\nOutput:\n\`\`\`json\n{"answer": "forty-two", "score": 0.9}\n\`\`\``, { answer: "forty-two", score: 0.9 });
add("multi-block", `{"success": false, "report": "The first search failed."}\nTrying again.\n${TIDES}`, tides, "search");
add("multi-block", `${TIDES}\n${TIDES}`, tides, "search");
add("multi-block", `${TIDES}${TIDES}`, tides, "search");
add("multi-block", `{"success": true, "report": "old"} {"success": true, "rep`, told("old"), "search");
add("multi-block", `Draft {"success": true, "report": "half of a\n\nFinal:\n${TIDES}`, tides, "search");
add("multi-block", `{"verified": false, "success": true, "report": "round one"}\n---\n${BRIDGE}`, bridge, "deep_search");
add("multi-block", `Use {"success": boolean, "report": string}.\n${TIDES}`, tides, "search");

// jsonl
add("jsonl", '{"id": 1, "t": "a"}\n{"id": 2, "t": "b"}\n{"id": 3, "t": "c"}', [{ id: 1, t: "a" }, { id: 2, t: "b" }, { id: 3, t: "c" }]);
add("jsonl", '{"id": 1}\r\n{"id": 2}\r\n', [{ id: 1 }, { id: 2 }]);
add("jsonl", '```jsonl\n{"id": 1}\n{"id": 2}\n```', [{ id: 1 }, { id: 2 }]);
add("jsonl", '{"id": 1}\n\n{"id": 2}', [{ id: 1 }, { id: 2 }]);
add("jsonl", "[1, 2]\n[3, 4]", [[1, 2], [3, 4]]);
add("jsonl", '{"id": 1},\n{"id": 2},\n{"id": 3}', [{ id: 1 }, { id: 2 }, { id: 3 }]);
add("jsonl", "{'id': 1}\n{'id': 2,}", [{ id: 1 }, { id: 2 }]);
add("jsonl", '{"id": 1, "t": "a"}\n{"id": 2, "t": "b"}\n{"id": 3, "t": "c', [{ id: 1, t: "a" }, { id: 2, t: "b" }, { id: 3, t: optional("c") }]);
const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }];
add("jsonl", '{"id": 1}\n{"id": 2}\n{"id": 3}', [one, two, three], "rows");
add("jsonl", '{"id": 1}, {"id": 2}', [one, two], "rows");
add("jsonl", '{"id": 1},\n{"id": 2},\n', [one, two], "rows");
add("jsonl", '{"id": 1}{"id": 2}', [one, two], "rows");
add("jsonl", '```jsonl\n{"id": 1}\n{"id": 2}\n```', [one, two], "rows");
add("jsonl", '```json\n{"id": 1},\n{"id": 2}\n```\nThese are all {rows}.', [one, two], "rows");
add("jsonl", 'Here:\n{"id": 1}\n{"id": 2}', [one, two], "rows");
add("jsonl", 'Here:\n\n{"id": 1}\n{"id": 2}\n\nThat is all there is [1].', [one, two], "rows");
add("jsonl", 'The rows:\n- {"id": 1}\n- {"id": 2}', [one, two], "rows");
add("jsonl", 'The rows:\n1. {"id": 1}\n2. {"id": 2}\n3. {"id": 3}', [one, two, three], "rows");
add("jsonl", "{'id': 1}\n{id: 2,}\n{\"id\": 3}", [one, two, three], "rows");
add("jsonl", '{"id": "1"}\n{"id": "2"}', [one, two], "rows");
add("jsonl", '<think>Rows {"id": 8}, {"id": 9}?</think>\n{"id": 1}\n{"id": 2}', [one, two], "rows");
add("jsonl", '{"id": 1}\n{"id": 2}\n{"id":', [one, two], "rows");
add("jsonl", '```json\n{"id": 1}\n{"id": 2}\n{"i\n```', [one, two], "rows");
add("jsonl", '[{"id": 1}, {"id": 2}, {"id":', [one, two], "rows");
add("jsonl", '{"id": 1}\n{"id": 2}\n{"id":', oneOf([one, two], [one, two, {}]));
add("jsonl", '{"id": 1}\n{"name": "x"}\n{"id": 3}', NONE, "rows");
add("jsonl", '{"level": "info"}\n{"id": 1}', [one], "rows");
add("jsonl", '{"id": 1}', [one], "rows");
add("jsonl", '[{"id": 1}]\n[{"id": 2}, {"id": 3}]', [two, three], "rows");
add("jsonl", '[{"id": 1}]\n[{"id": 2}', [one], "rows");
add("jsonl", '{"id": 1}\n{"id": 2}\n\nNo, the rows are:\n{"id": 2}\n{"id": 3}', [two, three], "rows");
add("jsonl", '{"id": 1}\nNo, correct is:\n{"id": 2}', [two], "rows");
add("multi-block", '```json\n{"id": 1}\n```\nBetter:\n```json\n{"id": 2}\n```', [two], "rows");
add("multi-block", '```json\n{"id": 1}\n{"id": 2}\n```\nBetter:\n```json\n{"id": 2}\n{"id": 3}\n```', [two, three], "rows");
add("multi-block", `{"success": true, "report": "old"}\n${TIDES}`, tides, "search");
add("multi-block", `${TIDES},\n{"success": true, "rep`, tides, "search");
add("multi-block", '{"id": 1}{"id": 2}', { $oneOf: [[one, two], two] });
add("multi-block", '{"id": 1} {"id": 2}', two);
add("truncated", '{"id":', {});
add("truncated", '{"id"', {});
add("truncated", '```json\n{"id": \n```', {});
add("truncated", 'Here: {"id": 1, "name":', one);

// array
add("array", "Primes: [2, 3, 5, 7]", [2, 3, 5, 7]);
add("array", "```json\n[\"a\", \"b\"]\n```", ["a", "b"]);
add("array", "[\"a\" \"b\" \"c\"]", ["a", "b", "c"]);
add("array", '[{"a": 1}, {"a": 2}', [{ a: 1 }, { a: 2 }]);
add("array", 'Items: ["x, y", "z"] and so on.', ["x, y", "z"]);
add("array", "[1, 2, 3,]", [1, 2, 3]);
add("array", "[['a', 1], ['b', 2]]", [["a", 1], ["b", 2]]);
add("array", "[\n  // first\n  1,\n  2 // second\n]", [1, 2]);
add("array", "[true, false, null, -1.5e2, \"\"]", [true, false, null, -150, ""]);
add("array", '["one", "two", "thr', ["one", "two", optional("thr")].slice(0, 2).length ? oneOf(["one", "two", "thr"], ["one", "two"]) : ANY);
add("array", "Here is the list you asked for:\n\n[\n  {\"n\": \"Ada\"},\n  {\"n\": \"Bob\"}\n]\n\nAnything else?", [{ n: "Ada" }, { n: "Bob" }]);

// double-encoded
add("double-encoded", str(TIDES), tides, "search");
add("double-encoded", str(str(TIDES)), tides, "search");
add("double-encoded", `\`\`\`json\n${str(TIDES)}\n\`\`\``, tides, "search");
add("double-encoded", `The tool returned: ${str(TIDES)}`, tides, "search");
add("double-encoded", '{\\"a\\": 1, \\"b\\": \\"x\\"}', { a: 1, b: "x" });
add("double-encoded", '{\\n  \\"a\\": [1, 2],\\n  \\"b\\": \\"say \\\\\\"hi\\\\\\"\\"\\n}', { a: [1, 2], b: 'say "hi"' });
add("double-encoded", str({ payload: str({ x: 1 }), n: 2 }), { payload: '{"x":1}', n: 2 });
add("double-encoded", str("[1, 2]"), [1, 2]);
add("double-encoded", `{"success": true, "report": "r", "metadata": ${str(str({ sources_visited: [] }))}}`, { success: true, report: "r", metadata: { sources_visited: [] } }, "search");
add("double-encoded", str(`\`\`\`json\n${TIDES}\n\`\`\``), tides, "search");
add("double-encoded", `'{"a": 1, "b": [2, 3]}'`, { a: 1, b: [2, 3] });
add("double-encoded", `"{"a": 1, "b": 2}"`, { a: 1, b: 2 });

// quotes
add("quotes", "{'a': 'it''s', 'b': 2}", oneOf({ a: "it''s", b: 2 }, { a: "it's", b: 2 }));
add("quotes", "{'a': 'don\\'t', 'b': \"do\"}", { a: "don't", b: "do" });
add("quotes", "{‘a’: ‘b’, “c”: ‘d’}", { a: "b", c: "d" });
add("quotes", "{`a`: `b`}", { a: "b" });
add("quotes", "{'say': 'he said \"yes\" twice'}", { say: 'he said "yes" twice' });
add("quotes", '{"a": \'b\', "c": "d"}', { a: "b", c: "d" });
add("quotes", "{'owner': 'the dogs' bowl', 'n': 1}", { owner: "the dogs' bowl", n: 1 });
add("quotes", "{“title”: “The “best” one”, “n”: 2}", { title: "The “best” one", n: 2 });
add("quotes", '{"a”: "b"}', { a: "b" });
add("quotes", '{“a": "b”}', { a: "b" });
add("quotes", "{\"a\": \"\"\"long 'text' with \"quotes\" inside\"\"\"}", { a: "long 'text' with \"quotes\" inside" });
add("quotes", "{'a': '', 'b': ''}", { a: "", b: "" });
add("quotes", '{"q": "She wrote “hello, world” and left", "n": 1,}', { q: "She wrote “hello, world” and left", n: 1 });
add("quotes", "{'a': \"it's\", 'b': 'x \"y\" z'}", { a: "it's", b: 'x "y" z' });
add("quotes", "{'list': ['rock 'n' roll', 'jazz']}", { list: ["rock 'n' roll", "jazz"] });
add("quotes", "{„a“: „b“}", { a: "b" });
add("quotes", '{"a\': "b"}', ANY);
add("quotes", "{''a'': ''b''}", ANY);

// unquoted
add("unquoted", "{name: 'Ada', born: 1815, alive: false}", { name: "Ada", born: 1815, alive: false });
add("unquoted", "{a: {b: {c: deep}}}", { a: { b: { c: "deep" } } });
add("unquoted", '{"color": blue, "size": 4}', { color: "blue", size: 4 });
add("unquoted", '{"note": this is a longer text, with a comma, "n": 1}', { note: "this is a longer text, with a comma", n: 1 });
add("unquoted", "{$id: 1, _x: 2, a-b: 3, x1: 4}", { $id: 1, _x: 2, "a-b": 3, x1: 4 });
add("unquoted", '{"date": 2024-05-01, "time": 10:30}', { date: "2024-05-01", time: "10:30" });
add("unquoted", '{"tags": [red, green, blue]}', { tags: ["red", "green", "blue"] });
add("unquoted", '{"url": http://a.example/b?c=d&e=f, "n": 1}', { url: "http://a.example/b?c=d&e=f", n: 1 });
add("unquoted", "{\n  name: Ada Lovelace\n  job: mathematician\n}", { name: "Ada Lovelace", job: "mathematician" });
add("unquoted", '{"version": v1.2.3, "ok": yes}', { version: "v1.2.3", ok: "yes" });
add("unquoted", "{first name: Ada, last name: Lovelace}", { "first name": "Ada", "last name": "Lovelace" });
add("unquoted", '{"email": ada@math.example, "n": 2}', { email: "ada@math.example", n: 2 });
add("unquoted", "{1: 'one', 2: 'two'}", { 1: "one", 2: "two" });

// commas
add("commas", '{"a": 1 "b": 2}', { a: 1, b: 2 });
add("commas", '{"a": 1\n "b": true\n "c": null}', { a: 1, b: true, c: null });
add("commas", '[1 2 3]', [1, 2, 3]);
add("commas", '[1,,2]', oneOf([1, 2], [1, null, 2]));
add("commas", '{"a": 1,, "b": 2}', { a: 1, b: 2 });
add("commas", '{, "a": 1}', { a: 1 });
add("commas", '[, 1]', oneOf([1], [null, 1]));
add("commas", '{"a": [1, 2,], "b": {"c": 1,},}', { a: [1, 2], b: { c: 1 } });
add("commas", '{"a": {"x": 1} "b": [1] "c": "d"}', { a: { x: 1 }, b: [1], c: "d" });
add("commas", '[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }]);
add("commas", '{"a": "one" "b": "two" "c": "three"}', { a: "one", b: "two", c: "three" });
add("commas", '{"a": 1; "b": 2;}', { a: 1, b: 2 });
add("commas", '{"a": 1,\n}', { a: 1 });
add("commas", '{"a": "x,]", "b": ["y,}",],}', { a: "x,]", b: ["y,}"] });
add("commas", '{"a": "x"\n\n\n"b": "y"}', { a: "x", b: "y" });
add("commas", '["a"\n"b"\n"c"]', ["a", "b", "c"]);
add("commas", '{"a": 1, "b": 2},', { a: 1, b: 2 });
add("commas", '{"a": "one", "b": "two"\n"c": ["x", "y"]\n"d": {"e": 1}}', { a: "one", b: "two", c: ["x", "y"], d: { e: 1 } });

// comments
add("comments", '// head\n{"a": 1}', { a: 1 });
add("comments", '{"a": 1} // tail', { a: 1 });
add("comments", '/* {"x": 0} */ {"a": 1}', { a: 1 });
add("comments", '{"a": /* in */ 1, "b": 2 /* after */}', { a: 1, b: 2 });
add("comments", '{\n  # python\n  "a": 1, # one\n  "b": "#2"\n}', { a: 1, b: "#2" });
add("comments", '{"a": "x // y", // z\n"b": "/* q */"}', { a: "x // y", b: "/* q */" });
add("comments", '[1, // one\n2, /* two */ 3]', [1, 2, 3]);
add("comments", '{"a": 1, // "b": 2,\n"c": 3}', { a: 1, c: 3 });
add("comments", '{\n"a": 1, // it\'s "quoted"\n"b": 2\n}', { a: 1, b: 2 });
add("comments", '{"a": 1 /* open', { a: 1 });

// python-literals
add("python-literals", "{'a': True, 'b': False, 'c': None}", { a: true, b: false, c: null });
add("python-literals", "{'items': [None, True], 't': (1, 2)}", { items: [null, true], t: [1, 2] });
add("python-literals", '{"a": "True story", "b": True}', { a: "True story", b: true });
add("python-literals", "{'name': u'Ada', 'raw': r'x'}", { name: "Ada", raw: "x" });
add("python-literals", "{'a': \"None of 'em\", 'b': None,}", { a: "None of 'em", b: null });
add("python-literals", "[{'id': 1, 'ok': True}, {'id': 2, 'ok': False}]", [{ id: 1, ok: true }, { id: 2, ok: false }]);
add("python-literals", "{'a': {'b': None}, 'text': 'line\\nbreak'}", { a: { b: null }, text: "line\nbreak" });
add("python-literals", "result = {'a': True}", { a: true });
add("python-literals", "print({'a': True, 'b': [None]})", { a: true, b: [null] });
add("python-literals", "{'success': True, 'report': \"It's done\", 'metadata': {}}", { success: true, report: "It's done", metadata: {} }, "search");
add("python-literals", "{'t': ('x',), 'n': 1}", { t: ["x"], n: 1 });
add("python-literals", '{"a": TRUE, "b": FALSE, "c": NULL}', { a: true, b: false, c: null });
add("python-literals", '{"a": undefined, "b": 1}', oneOf({ a: null, b: 1 }, { b: 1 }));

// nan-inf
add("nan-inf", '{"a": Infinity, "b": -Infinity, "c": 1}', { a: ANY, b: ANY, c: 1 });
add("nan-inf", "[NaN, 1]", [ANY, 1]);
add("nan-inf", "{'a': nan, 'b': 'NaN'}", { a: ANY, b: "NaN" });
add("nan-inf", '{"scores": [0.5, NaN, 0.7]}', { scores: [0.5, ANY, 0.7] });

// brackets
add("brackets", '{"a": [1, 2, "b": 3}', { a: [1, 2], b: 3 });
add("brackets", '{"a": {"b": 1}}, "c": 2}', { a: { b: 1 }, c: 2 });
add("brackets", '{"a": 1}}', { a: 1 });
add("brackets", '{"a": 1}}}}', { a: 1 });
add("brackets", '[1, 2]]', [1, 2]);
add("brackets", '{{"a": 1}}', { a: 1 });
add("brackets", '{{"a": 1}', { a: 1 });
add("brackets", '"a": 1, "b": [2]}', { a: 1, b: [2] });
add("brackets", '{"a": [1, 2}', { a: [1, 2] });
add("brackets", '{"a": [1, 2}, "b": [3}, "c": 4}', { a: [1, 2], b: [3], c: 4 });
add("brackets", '[{"a": 1, {"a": 2}]', [{ a: 1 }, { a: 2 }]);
add("brackets", '[{"a": 1], {"a": 2}]', ANY);
add("brackets", '{"a": {"b": {"c": 1}}', { a: { b: { c: 1 } } });
add("brackets", '{"a": 1]', { a: 1 });
add("brackets", '["a", "b"}', ["a", "b"]);
add("brackets", '{"a": ["x", "y", "b": ["z"]}', { a: ["x", "y"], b: ["z"] });
add("brackets", '[{"a": 1}, {"b": 2}', [{ a: 1 }, { b: 2 }]);
add("brackets", '{"rows": [[1, 2], [3, 4], "n": 2}', { rows: [[1, 2], [3, 4]], n: 2 });
add("brackets", '{"a": [1]], "b": 2}', { a: [1], b: 2 });
add("brackets", '{"o": {"a": 1, "b": [1, 2}, "c": 3}', oneOf({ o: { a: 1, b: [1, 2] }, c: 3 }, { o: { a: 1, b: [1, 2], c: 3 } }));
add("brackets", '{"success": true, "report": "r", "metadata": {"sources_visited": ["https://a.example"}}', { success: true, report: "r", metadata: { sources_visited: ["https://a.example"] } }, "search");
add("brackets", '{"success": true, "report": "r", "metadata": {"sources_visited": ["https://a.example"]}', { success: true, report: "r", metadata: { sources_visited: ["https://a.example"] } }, "search");
add("brackets", '"success": true, "report": "r"', oneOf({ success: true, report: "r" }), "search");
add("brackets", '{"a": "b"', { a: "b" });
add("brackets", '.{"a": 1}', { a: 1 });
add("brackets", '{"a": [{"b": 1}, {"c": 2]}', { a: [{ b: 1 }, { c: 2 }] });

// keys
add("keys", '{"name: "Psoriasis", "kind": "skin"}', { name: "Psoriasis", kind: "skin" });
add("keys", '{"kind": "skin", "name: "Psoriasis"}', { kind: "skin", name: "Psoriasis" });
add("keys", '{name": "Rome", "n": 1}', { name: "Rome", n: 1 });
add("keys", '{"n": 1, name": "Rome"}', { n: 1, name: "Rome" });
add("keys", '{"year: 1960, "b": 2}', { year: 1960, b: 2 });
add("keys", '{"tags: ["a", "b"], "n": 1}', { tags: ["a", "b"], n: 1 });
add("keys", '{"o: {"a": 1}, "n": 1}', { o: { a: 1 }, n: 1 });
add("keys", '{"ok: true, "n": 1}', { ok: true, n: 1 });
add("keys", '{"a" 1, "b" "x"}', { a: 1, b: "x" });
add("keys", '{"a":: 1}', { a: 1 });
add("keys", '{"a" = 1, "b" => "x"}', { a: 1, b: "x" });
add("keys", '{""a"": 1, "b": 2}', { a: 1, b: 2 });
add("keys", '{"a"": 1, "b": 2}', { a: 1, b: 2 });
add("keys", '{"a:b": 1, "http://x.example": 2,}', { "a:b": 1, "http://x.example": 2 });
add("keys", '{"sources\\_visited": ["u"], "n\\_1": 2}', { sources_visited: ["u"], n_1: 2 });
add("keys", '{"a": 1, "a": 2,}', { a: 2 });
add("keys", '{"the "big" one": 1, "n": 2}', { 'the "big" one': 1, n: 2 });
add("keys", "{'a': 1, b: 2, \"c\": 3}", { a: 1, b: 2, c: 3 });
add("keys", '{\n"title: "Rome",\n"year: 1960,\n"open": true\n}', { title: "Rome", year: 1960, open: true });
add("keys", '{"a": , "b": 2}', oneOf({ a: null, b: 2 }, { b: 2 }, { a: "", b: 2 }));
add("keys", '{"success: true, "report": "x"}', told("x"), "search");
add("keys", '{"success": true, "report: "It was fine, she said: yes"}', told("It was fine, she said: yes"), "search");
add("keys", '{"success": true, report": "fine"}', told("fine"), "search");
add("keys", '{"größe": 1, größe2: 2}', { größe: 1, größe2: 2 });
add("keys", '{"a" : 1 , "b" : 2 ,}', { a: 1, b: 2 });
add("keys", '{"it\'s": 1, "b": 2,}', { "it's": 1, b: 2 });

// raw-newlines
add("raw-newlines", '{"a": "one\ntwo"}', { a: "one\ntwo" });
add("raw-newlines", '{"a": "one\r\ntwo\tthree"}', { a: "one\r\ntwo\tthree" });
add("raw-newlines", '```json\n{"success": true, "report": "# Title\n\n1. one\n2. two: {x}\n\n| a | b |\n"}\n```', told("# Title\n\n1. one\n2. two: {x}\n\n| a | b |\n"), "search");
add("raw-newlines", '{"a": "x\n", "b": "\ny"}', { a: "x\n", b: "\ny" });
add("raw-newlines", '{"a": "tab\there", "b": 1}', { a: "tab\there", b: 1 });
add("raw-newlines", '{"list": ["a\nb", "c"]}', { list: ["a\nb", "c"] });
add("raw-newlines", '{"success": true, "report": "Line one,\nline two: more,\n- \'quoted\'\n- [1] cite\n", "metadata": {}}', { success: true, report: "Line one,\nline two: more,\n- 'quoted'\n- [1] cite\n", metadata: {} }, "search");
add("raw-newlines", '{"a": "x\\\ny"}', oneOf({ a: "x\ny" }, { a: "xy" }, { a: "x\\\ny" }));
add("raw-newlines", '{"a": "bell\u0007 and \u0001"}', { a: "bell\u0007 and \u0001" });
add("raw-newlines", '{"poem": "roses,\n"violets",\nsugar", "n": 1}', { poem: 'roses,\n"violets",\nsugar', n: 1 });
add("raw-newlines", '{"a": "one\n\n\n\ntwo", "b": "three\n"}', { a: "one\n\n\n\ntwo", b: "three\n" });

// inner-quotes
add("inner-quotes", '{"a": "she said "hello" to me"}', { a: 'she said "hello" to me' });
add("inner-quotes", '{"a": "the "x", the "y", and z", "b": 1}', { a: 'the "x", the "y", and z', b: 1 });
add("inner-quotes", '{"a": ""Quoted" at the start", "b": 1}', { a: '"Quoted" at the start', b: 1 });
add("inner-quotes", '{"a": "quoted at the "end"", "b": 1}', { a: 'quoted at the "end"', b: 1 });
add("inner-quotes", '{"a": "a 15" laptop", "b": 1}', { a: 'a 15" laptop', b: 1 });
add("inner-quotes", '["say "hi" now", "b"]', ['say "hi" now', "b"]);
add("inner-quotes", '{"a": "use {"key": "value"} here", "b": 1}', { a: 'use {"key": "value"} here', b: 1 });
add("inner-quotes", '{"a": "see ["x", "y"] there", "b": 1}', { a: 'see ["x", "y"] there', b: 1 });
add("inner-quotes", '{"a": "<a href="x.html">link</a>", "b": 1}', { a: '<a href="x.html">link</a>', b: 1 });
add("inner-quotes", '{"a": "it is "so-called": fine", "b": 1}', { a: 'it is "so-called": fine', b: 1 });
add("inner-quotes", '{"success": true, "report": "The "Big Bang", as "it" is called.\n\n- "one"\n- "two", maybe", "metadata": {}}', { success: true, report: 'The "Big Bang", as "it" is called.\n\n- "one"\n- "two", maybe', metadata: {} }, "search");
add("inner-quotes", '{"a": "is it "true"?", "b": 1}', { a: 'is it "true"?', b: 1 });
add("inner-quotes", '{"a": "("x")", "b": 1}', { a: '("x")', b: 1 });
add("inner-quotes", '{"a": "\\"ok\\" and "not ok"", "b": 1}', { a: '"ok" and "not ok"', b: 1 });
add("inner-quotes", '{"a": "called "A" (or "B").", "b": "plain"}', { a: 'called "A" (or "B").', b: "plain" });
add("inner-quotes", '{"name": "Dwayne "The Rock" Johnson", "job": "actor"}', { name: 'Dwayne "The Rock" Johnson', job: "actor" });
add("inner-quotes", '{"quotes": ["He said "no", twice", "ok"]}', { quotes: ['He said "no", twice', "ok"] });
add("inner-quotes", '{"a": "ends with a quote"."}', { a: 'ends with a quote".' });
add("inner-quotes", '{"a": "x" y" z", "b": "p" q"}', { a: 'x" y" z', b: 'p" q' });
add("inner-quotes", '{"success": true, "report": "In "2020", 5 people; in "2021", 7 people.", "metadata": {"sources_visited": []}}', { success: true, report: 'In "2020", 5 people; in "2021", 7 people.', metadata: { sources_visited: [] } }, "search");
add("inner-quotes", '{"sql": "SELECT "id" FROM "t" WHERE "n" = "x"", "b": 1}', { sql: 'SELECT "id" FROM "t" WHERE "n" = "x"', b: 1 });

// more of the kinds above, mixed
add("brackets", '["a": 1, "b": 2]', { a: 1, b: 2 });
add("brackets", '{"list": [1, 2, 3 "b": 4}', { list: [1, 2, 3], b: 4 });
add("brackets", '{"k": [1, 2, 3}, "m": {"n": 1]}', { k: [1, 2, 3], m: { n: 1 } });
add("brackets", '{"foo": ["bar", "lorem": "x"]}', { foo: ["bar"], lorem: "x" });
add("brackets", '{"a": "b"\n\nI hope this helps!', { a: "b" });
add("brackets", '{"a": "x", "b": {"c": "y"}, }, "d": 1}', { a: "x", b: { c: "y" }, d: 1 });
add("commas", '{"a": "one""b": "two"}', { a: "one", b: "two" });
add("comments", '{"a": 1, REMARK "b": "x" }', { a: 1, b: "x" });
add("comments", '{"a": {"b": "x" // remark }, "c": "y"}', { a: { b: "x" }, c: "y" });
add("keys", '{"a": "b, "c": "d"}', { a: "b", c: "d" });
add("keys", '{"a": x", "b": "y"}', { a: "x", b: "y" });
add("quotes", "{'a': 'b, 'c': 'd'}", { a: "b", c: "d" });
add("quotes", "[{'x': 'Female aged 60+',y1:\"5\"}]", [{ x: "Female aged 60+", y1: "5" }]);
add("quotes", "{'msg': 'I'm here', 'x': 'you're'}", { msg: "I'm here", x: "you're" });
add("quotes", '["a", b", "c"]', ["a", "b", "c"]);
add("inner-quotes", '{"html": "<h3 id="aaa">Why "Passion for"?</h3>"}', { html: '<h3 id="aaa">Why "Passion for"?</h3>' });
add("inner-quotes", '[{"key": "v"alu,e", "key2": "value2"}]', [{ key: 'v"alu,e', key2: "value2" }]);
add("inner-quotes", '{"content": "[LINK]("https://l.example")"}', { content: '[LINK]("https://l.example")' });
add("inner-quotes", '{"steps": ["open "Settings"", "click "OK", then wait", "done"]}', { steps: ['open "Settings"', 'click "OK", then wait', "done"] });
add("unquoted", '{"lorem": ipsum, sic, datum.",}', { lorem: "ipsum, sic, datum." });

// truncated
add("truncated", '{"success": true, "report": "see [1] and {x}', told("see [1] and {x}"), "search");
add("truncated", '{"success": true, "report": "ends in a backslash \\', told("ends in a backslash "), "search");
add("truncated", '{"success": true, "report": "cut in \\u00', told("cut in "), "search");
add("truncated", '{"success": true, "report": "done", "metadata": {"sources_visited": ["https://a.exa', { success: true, report: "done", metadata: { sources_visited: oneOf(["https://a.exa"], []) } }, "search");
add("truncated", '{"success": true, "report": "done", "metadata": {"sources', { success: true, report: "done", metadata: oneOf({}, { sources: null }) }, "search");
add("truncated", '{"success": true, "report": "done",', told("done"), "search");
add("truncated", '{"success": true, "report": "done"', told("done"), "search");
add("truncated", '{"success": true, "report": "done", "metadata":', { success: true, report: "done", metadata: optional({}) }, "search");
add("truncated", '{"a": tr', { a: optional(true) });
add("truncated", '{"a": 1, "b": nul', { a: 1, b: optional(null) });
add("truncated", '{"a": 1, "b": -', { a: 1, b: ANY, ...{} }.b === ANY ? oneOf({ a: 1 }, { a: 1, b: null }, { a: 1, b: 0 }) : ANY);
add("truncated", '{"a": 12.', { a: optional(12) });
add("truncated", '{"a": 1.5e', { a: optional(1.5) });
add("truncated", "[1, 2, ", [1, 2]);
add("truncated", '[{"a": 1}, {"a"', oneOf([{ a: 1 }, {}], [{ a: 1 }], [{ a: 1 }, { a: null }]));
add("truncated", '{"a": {"b": {"c": [', { a: { b: { c: [] } } });
add("truncated", '{"a": "x", ', { a: "x" });
add("truncated", '{"a": "he said \\"go\\" and', { a: 'he said "go" and' });
add("truncated", '{"verified": true, "success": true, "report": "long\\n\\n- a\\n- b', { verified: true, success: true, report: "long\n\n- a\n- b" }, "deep_search");
add("truncated", 'Here is the answer:\n\n{"success": true, "report": "one, two', told("one, two"), "search");
add("truncated", '{"a": "snowman \\u2603 and \\ud83d', oneOf({ a: "snowman ☃ and " }, { a: "snowman ☃ and \ud83d" }));
add("truncated", "{", oneOf({}, NONE));
add("truncated", '{"a": [1, 2], "b": [3', { a: [1, 2], b: oneOf([3], []) });
add("truncated", '{"report": "text", "success": fals', { report: "text", success: optional(false) });

// escapes
add("escapes", '{"a": "100\\% sure"}', oneOf({ a: "100\\% sure" }, { a: "100% sure" }));
add("escapes", '{"a": "x\\x41y"}', oneOf({ a: "xAy" }, { a: "x\\x41y" }));
add("escapes", '{"a": "tick \\`code\\`"}', oneOf({ a: "tick `code`" }, { a: "tick \\`code\\`" }));
add("escapes", '{"a": "l\\u00fctt", "b": "\\/",}', { a: "lütt", b: "/" });
add("escapes", '{"a": "say \\"hi\\"",}', { a: 'say "hi"' });
add("escapes", '{"a": "C\\u{1F600}"}', oneOf({ a: "C😀" }, { a: "C\\u{1F600}" }));
add("escapes", "{'a': 'it\\'s', 'b': 'say \\\"x\\\"'}", { a: "it's", b: 'say "x"' });
add("escapes", '{"a": "back\\\\slash", "b": "n\\nl",}', { a: "back\\slash", b: "n\nl" });
add("escapes", '{"a": "\\ud83d\\ude80",}', { a: "🚀" });
add("escapes", '{"a": "don\\\'t and \\"do\\""}', { a: 'don\'t and "do"' });
add("escapes", '{"a": "x\\\\", "b": 1,}', { a: "x\\", b: 1 });
add("escapes", '{"a": "hash \\# and \\- dash"}', oneOf({ a: "hash \\# and \\- dash" }, { a: "hash # and - dash" }));

// latex-paths-regex
add("latex-paths-regex", '{"t": "$\\alpha + \\beta = \\gamma$"}', { t: "$\\alpha + \\beta = \\gamma$" });
add("latex-paths-regex", '{"t": "\\frac{a}{b} \\cdot \\sqrt{x}"}', { t: "\\frac{a}{b} \\cdot \\sqrt{x}" });
add("latex-paths-regex", '{"p": "C:\\Users\\ada\\docs"}', { p: "C:\\Users\\ada\\docs" });
add("latex-paths-regex", '{"p": "d:\\utils\\x"}', { p: "d:\\utils\\x" });
add("latex-paths-regex", '{"re": "^\\d{3}-\\w+\\s*$"}', { re: "^\\d{3}-\\w+\\s*$" });
add("latex-paths-regex", '{"re": "\\(a\\|b\\)\\.c"}', { re: "\\(a\\|b\\)\\.c" });
add("latex-paths-regex", '{"p": "\\\\\\\\server\\\\share", "q": 1,}', { p: "\\\\server\\share", q: 1 });
add("latex-paths-regex", '{"t": "let $\\theta$ and $\\phi$ be \\ldots"}', { t: "let $\\theta$ and $\\phi$ be \\ldots" });
add("latex-paths-regex", '{"p": "C:\\Program Files\\App\\bin"}', { p: "C:\\Program Files\\App\\bin" });
add("latex-paths-regex", '{"p": "C:\\\\ok\\\\path", "t": "\\sum_{i}"}', { p: "C:\\ok\\path", t: "\\sum_{i}" });
add("latex-paths-regex", '{"success": true, "report": "Energy is $E = mc^2$; \\(x \\in \\mathbb{R}\\)."}', told("Energy is $E = mc^2$; \\(x \\in \\mathbb{R}\\)."), "search");
add("latex-paths-regex", '{"p": "C:\\Users\\name\\temp\\report.txt"}', { p: "C:\\Users\\name\\temp\\report.txt" });
add("latex-paths-regex", '{"re": "\\bword\\b\\s+\\d"}', { re: "\\bword\\b\\s+\\d" });
add("latex-paths-regex", '{"t": "a\\\\alpha ok", "u": "\\alpha"}', { t: "a\\alpha ok", u: "\\alpha" });
add("latex-paths-regex", '{"t": "First line.\\nThen $\\lambda$."}', { t: "First line.\nThen $\\lambda$." });
add("latex-paths-regex", '{"p": "C:\\dir\\"}', { p: "C:\\dir\\" });
add("latex-paths-regex", '{"t": "\\begin{matrix} 1 \\end{matrix}"}', { t: "\\begin{matrix} 1 \\end{matrix}" });

// unicode
add("unicode", `ответ: ${TIDES} — готово`, tides, "search");
add("unicode", `\ufeff${TIDES}`, tides, "search");
add("unicode", '{"a": "日本語", "b": "العربية", "c": "🇩🇪👩‍👩‍👧"}', { a: "日本語", b: "العربية", c: "🇩🇪👩‍👩‍👧" });
add("unicode", '{\u00a0"a":\u00a01,\u2003"b": 2}', { a: 1, b: 2 });
add("unicode", '{"a"：1，"b"：2}', { a: 1, b: 2 });
add("unicode", "{“名前”：“値”}", { 名前: "値" });
add("unicode", '\u200b{"a": 1}\u200b', { a: 1 });
add("unicode", '{"a": "x\u2028y"}', { a: "x\u2028y" });
add("unicode", '{"a": "zero\u200bwidth",}', { a: "zero\u200bwidth" });
add("unicode", '回答：\n```json\n{"结果": "好"}\n```', { 结果: "好" });
add("unicode", '{"a": "\\u00e4\\u00f6",}', { a: "äö" });
add("unicode", '「答え」{"a": 1}', { a: 1 });
add("unicode", '{"emoji": "😀 "grin" 😀", "n": 1}', { emoji: '😀 "grin" 😀', n: 1 });
add("unicode", '{"a": "ﬁ – „Zitat“ «guillemets»", "n": 1,}', { a: "ﬁ – „Zitat“ «guillemets»", n: 1 });
add("unicode", '\ufeff\ufeff{"a": 1}', { a: 1 });
add("unicode", '{"a": "\ud83d lone",}', { a: "\ud83d lone" });
add("unicode", '{\ufeff"a": 1}', { a: 1 });
add("unicode", '{＂a＂: ＂b＂}', { a: "b" });

// noise
add("noise", `Loaded cached credentials.\n${TIDES}\n`, tides, "search");
add("noise", `[2026-01-02T03:04:05Z] INFO starting {pid: 12}\n${TIDES}\n[INFO] done in 3s`, tides, "search");
add("noise", `\u001b[1m\u001b[36mInfo\u001b[0m\n{\u001b[32m"a"\u001b[0m: \u001b[33m1\u001b[0m}\n`, { a: 1 });
add("noise", `Attempt 1 failed with status 429. Retrying with backoff... {\n  status: 429,\n  headers: { 'retry-after': '2' }\n}\n${TIDES}`, tides, "search");
add("noise", `(node:123) [DEP0040] DeprecationWarning: The \`punycode\` module is deprecated.\n(Use \`node --trace-deprecation ...\` to show where)\n${TIDES}`, tides, "search");
add("noise", `{"error": {"code": 503, "message": "overloaded"}}\nretrying\n${TIDES}`, tides, "search");
add("noise", `⠋ Thinking...\r⠙ Thinking...\r${TIDES}`, tides, "search");
add("noise", `npm warn deprecated x@1.0.0\n\n${BRIDGE2}`, bridge, "deep_search");
add("noise", `DEBUG: {"request": {"prompt": "x"}}\nDEBUG: sent\n${BRIDGE}`, bridge, "deep_search");
add("noise", `data: ${TIDES}\n\ndata: [DONE]\n`, tides, "search");
add("noise", `$ gemini -p "x"\n${TIDES}\n$ `, tides, "search");
add("noise", `\u001b]0;title\u0007${TIDES}`, tides, "search");
add("noise", `${TIDES}\u0000`, tides, "search");
add("noise", `> ${TIDES}`, tides, "search");
add("noise", `===== RESULT =====\n${TIDES}\n==================`, tides, "search");
add("noise", `Error executing tool web_fetch: {"url": "https://x.example"} not allowed\n${TIDES}`, tides, "search");
add("noise", `[ERROR] something [object Object]\n${TIDES}`, tides, "search");
add("noise", `I will search. [tool: google_web_search({"query": "tides"})]\n\n${TIDES}`, tides, "search");
add("noise", `> {\n>   "a": 1,\n>   "b": [\n>     2\n>   ]\n> }`, { a: 1, b: [2] });
add("noise", `1: {\n2:   "a": 1,\n3:   "b": 2\n4: }`, { a: 1, b: 2 });
add("noise", `[32m{"a": 1}[0m`, { a: 1 });
add("noise", `YOLO mode is enabled. All tool calls will be automatically approved.\n{"a": {"b": 1}}`, { a: { b: 1 } });

// envelope
const envelope = (key, extra = {}) => str({ ...extra, [key]: TIDES });
add("envelope", str({ response: TIDES, stats: { models: { m: { tokens: 3 } } } }), tides, "search");
add("envelope", str({ session_id: "1", response: `Here:\n${TIDES2}\nBye`, stats: {} }), tides, "search");
add("envelope", envelope("result", { type: "result", is_error: false }), tides, "search");
add("envelope", envelope("output"), tides, "search");
add("envelope", str({ choices: [{ index: 0, message: { role: "assistant", content: `\`\`\`json\n${TIDES}\n\`\`\`` } }] }), tides, "search");
add("envelope", str({ candidates: [{ content: { role: "model", parts: [{ text: TIDES }] } }] }), tides, "search");
add("envelope", str({ content: [{ type: "text", text: TIDES }], role: "assistant" }), tides, "search");
add("envelope", str({ content: [{ type: "tool_use", name: "answer", input: tides }] }), tides, "search");
add("envelope", str({ tool_calls: [{ function: { name: "answer", arguments: TIDES } }] }), tides, "search");
add("envelope", str({ name: "submit", arguments: tides }), tides, "search");
add("envelope", str({ data: { result: tides } }), tides, "search");
add("envelope", str({ answer: tides }), tides, "search");
add("envelope", str([tides]), tides, "search");
add("envelope", `Loaded cached credentials.\n${str({ response: TIDES, stats: {} })}`, tides, "search");
add("envelope", str({ candidates: [{ content: { parts: [{ text: TIDES.slice(0, 40) }, { text: TIDES.slice(40) }] } }] }), tides, "search");
add("envelope", str({ status: "success", data: tides }), tides, "search");
add("envelope", str({ messages: [{ role: "user", content: str(draft) }, { role: "assistant", content: TIDES }] }), tides, "search");
add("envelope", str({ error: { type: "ApiError", message: "quota", code: 429 } }), NONE, "search");
add("envelope", str({ session_id: "x", error: { type: "Error", message: "[object Object]", code: 1 } }), NONE, "search");
add("envelope", str({ response: "I could not find anything.", stats: {} }), NONE, "search");
add("envelope", str({ output: [{ type: "message", content: [{ type: "output_text", text: BRIDGE }] }] }), bridge, "deep_search");
add("envelope", str({ response: '{"success": true, "report": "cut of', stats: {} }), told("cut of"), "search");
add("envelope", str({ response: "{'success': True, 'report': 'py'}" }), told("py"), "search");
add("envelope", str({ response: TIDES, stats: { a: 1 } }), { response: TIDES, stats: { a: 1 } });

// envelope-stream
const lines = (...events) => events.map((event) => str(event)).join("\n");
add("envelope-stream", lines({ type: "init", model: "m" }, { type: "message", role: "user", content: `Answer as ${str(draft)}` }, { type: "message", role: "assistant", content: TIDES.slice(0, 30), delta: true }, { type: "message", role: "assistant", content: TIDES.slice(30), delta: true }, { type: "result", status: "success", stats: {} }), tides, "search");
add("envelope-stream", TIDES.match(/.{1,25}/g).map((text) => `data: ${str({ choices: [{ delta: { content: text } }] })}\n`).join("\n") + "\ndata: [DONE]\n", tides, "search");
add("envelope-stream", lines({ type: "message_start", message: { role: "assistant", content: [] } }, ...TIDES.match(/.{1,50}/g).map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })), { type: "message_stop" }), tides, "search");
add("envelope-stream", TIDES.match(/.{1,60}/g).map((text) => `data: ${str({ candidates: [{ content: { role: "model", parts: [{ text }] } }] })}`).join("\r\n\r\n"), tides, "search");
add("envelope-stream", lines({ type: "system", subtype: "init" }, { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: TIDES }] } }, { type: "result", subtype: "success", result: TIDES }), tides, "search");
add("envelope-stream", lines(...TIDES.match(/.{1,40}/g).map((response) => ({ model: "x", response, done: false })), { model: "x", response: "", done: true }), tides, "search");
add("envelope-stream", lines({ type: "init" }, { type: "tool_use", tool_name: "google_web_search", parameters: { query: "x" } }, { type: "tool_result", output: str(draft) }, { type: "message", role: "assistant", content: TIDES }, { type: "result", status: "success" }), tides, "search");
add("envelope-stream", `Loaded cached credentials.\n${lines({ type: "init" }, { type: "message", role: "assistant", content: "```json\n", delta: true }, { type: "message", role: "assistant", content: `${BRIDGE}\n`, delta: true }, { type: "message", role: "assistant", content: "```", delta: true }, { type: "result", status: "success" })}`, bridge, "deep_search");
add("envelope-stream", lines({ type: "init" }, { type: "message", role: "assistant", content: "I found nothing.", delta: true }, { type: "result", status: "error", error: { message: "x" } }), NONE, "search");

// html-escaped
add("html-escaped", TIDES.replaceAll('"', "&quot;"), tides, "search");
add("html-escaped", TIDES.replaceAll('"', "&#34;"), tides, "search");
add("html-escaped", `<pre>${TIDES.replaceAll('"', "&quot;")}</pre>`, tides, "search");
add("html-escaped", "{&quot;a&quot;: &quot;x &amp; y &lt;b&gt;&quot;}", { a: "x & y <b>" });
add("html-escaped", "{&#x22;a&#x22;: 1}", { a: 1 });
add("html-escaped", "{&#39;a&#39;: &#39;b&#39;}", { a: "b" });
add("html-escaped", '{"a": "x &amp; y", "b": "&lt;p&gt;",}', { a: "x &amp; y", b: "&lt;p&gt;" });
add("html-escaped", "[&quot;a&quot;, &quot;b&quot;]", ["a", "b"]);

// think
add("think", `<think>\nThe user wants JSON like {"success": true, "report": "..."}.\n</think>\n\n${TIDES}`, tides, "search");
add("think", `<thinking>${str(draft)}</thinking>${TIDES}`, tides, "search");
add("think", `I should answer with ${str(draft)}\n</think>\n${TIDES}`, tides, "search");
add("think", `${TIDES}\n<think>Maybe ${str(draft)} was better?</think>`, tides, "search");
add("think", `<reasoning>It's {complicated: "yes"}</reasoning>\n\`\`\`json\n${BRIDGE}\n\`\`\``, bridge, "deep_search");
add("think", `<think>Let me write {"success": true, "report": "unfinished</think>\n${TIDES}`, tides, "search");
add("think", `<think>\n\n</think>\n\n${TIDES}`, tides, "search");
add("think", str(told("The </think> tag ends a thought; <think> opens it.")), told("The </think> tag ends a thought; <think> opens it."), "search");
add("think", `\`\`\`json\n{"success": true, "report": "The </think> tag,\nraw"}\n\`\`\``, told("The </think> tag,\nraw"), "search");
add("think", `<|channel|>analysis<|message|>Draft: ${str(draft)}<|end|><|start|>assistant<|channel|>final<|message|>${TIDES}`, tides, "search");
add("think", `[THINK]${str(draft)}[/THINK]${TIDES}`, tides, "search");
add("think", `<think>{"a": 1}</think>{"b": 2}`, { b: 2 });
add("think", `<think>{"a": 1, "longer": "than the answer, by far, since thoughts are long"}</think>\n{"b": 2}`, { b: 2 });
add("think", `<scratchpad>[1, 2, 3]</scratchpad>\n[4]`, [4]);

// xml-wrap
add("xml-wrap", `<answer>${TIDES}</answer>`, tides, "search");
add("xml-wrap", `<json>\n${TIDES2}\n</json>`, tides, "search");
add("xml-wrap", `<output format="json">${BRIDGE}</output>`, bridge, "deep_search");
add("xml-wrap", `<tool_call>\n{"name": "answer", "arguments": ${TIDES}}\n</tool_call>`, tides, "search");
add("xml-wrap", `<![CDATA[${TIDES}]]>`, tides, "search");
add("xml-wrap", `<response><status>ok</status><body>{"a": 1}</body></response>`, { a: 1 });
add("xml-wrap", `<function_call>{"a": [1, 2]}</function_call>`, { a: [1, 2] });
add("xml-wrap", `<result>{"a": "<b>bold</b>"}</result>`, { a: "<b>bold</b>" });
add("xml-wrap", `<result>{'a': 'x',}</result>`, { a: "x" });
add("xml-wrap", `<answer>{"a": [1, 2</answer>`, { a: oneOf([1, 2]) });

// deep-large
add("deep-large", `{"a":`.repeat(400) + "1" + "}".repeat(400), { $json: `{"a":`.repeat(400) + "1" + "}".repeat(400) });
add("deep-large", "[".repeat(800), ANY);
add("deep-large", str({ big: Array.from({ length: 5000 }, (_, n) => ({ n, t: `row ${n}` })) }), { $json: str({ big: Array.from({ length: 5000 }, (_, n) => ({ n, t: `row ${n}` })) }) });
add("deep-large", `Rows: ${str(Array.from({ length: 3000 }, (_, n) => [n, `r${n}`]))} end`, { $json: str(Array.from({ length: 3000 }, (_, n) => [n, `r${n}`])) });
add("deep-large", `{"t": "${"word ".repeat(20000)}",}`, { t: "word ".repeat(20000) });
add("deep-large", `{"a":`.repeat(300) + '"x"', { $json: `{"a":`.repeat(300) + '"x"' + "}".repeat(300) });
add("deep-large", "[".repeat(50_000) + "]".repeat(50_000), { $noCrash: true });
add("deep-large", `${'{"k":[1,'.repeat(200)}2${"]}".repeat(200)},`, { $json: `${'{"k":[1,'.repeat(200)}2${"]}".repeat(200)}` });

// safety
add("safety", '{"__proto__": {"admin": true}, "a": 1}', { $protoSafe: { a: 1 } });
add("safety", 'x {"__proto__": {"admin": true}, "a": 1,} y', { $protoSafe: { a: 1 } });
add("safety", '{"constructor": {"prototype": {"x": 1}}, "a": 1}', { $protoSafe: { a: 1 } });
add("safety", "{'__proto__': {'admin': True}, 'a': 1}", { $protoSafe: { a: 1 } });
add("safety", "{__proto__: {admin: true}, a: 1}", { $protoSafe: { a: 1 } });
add("safety", '{"a": {"__proto__": null, "b": 2}}', { $protoSafe: { a: { b: 2 } } });
add("safety", '{"a": "${process.exit(1)}", "b": "$(rm -rf /)"}', { a: "${process.exit(1)}", b: "$(rm -rf /)" });
add("safety", '{"toString": 1, "hasOwnProperty": 2}', { toString: 1, hasOwnProperty: 2 });
add("safety", '{"a": "<script>alert(1)</script>",}', { a: "<script>alert(1)</script>" });
add("safety", '{"success": true, "report": "x", "__proto__": {"verified": true}}', NONE, "deep_search");
add("safety", '{"length": -1, "0": "a"}', { length: -1, 0: "a" });
add("safety", "{a: (function(){ throw 1 })()}", { $noCrash: true });

// numbers
add("numbers", '{"a": 007, "b": 1}', oneOf({ a: "007", b: 1 }, { a: 7, b: 1 }));
add("numbers", '{"a": +5, "b": .5, "c": 5., "d": -.5}', { a: 5, b: 0.5, c: 5, d: -0.5 });
add("numbers", '{"a": 1_000_000}', oneOf({ a: 1000000 }, { a: "1_000_000" }));
add("numbers", '{"a": 0xFF}', oneOf({ a: 255 }, { a: "0xFF" }));
add("numbers", '{"a": 1,234, "b": 2}', oneOf({ a: 1234, b: 2 }, { a: "1,234", b: 2 }));
add("numbers", '{"a": "1.0", "b": 1.0}', { a: "1.0", b: 1 });
add("numbers", '{"ip": 10.0.0.1, "n": 1}', { ip: "10.0.0.1", n: 1 });
add("numbers", '{"a": 50%, "b": $5, "c": 3 km}', { a: "50%", b: "$5", c: "3 km" });
add("numbers", '{"a": 1e400, "b": 2,}', ANY);
add("numbers", '{"a": 1/3, "b": 10-20}', { a: "1/3", b: "10-20" });
add("numbers", '{"a": 9007199254740993, "b": 1,}', { a: 9007199254740992, b: 1 });
add("numbers", '{"a": -1, "b": - 1}', ANY);

// wrapper-call
add("wrapper-call", 'callback({"a": 1});', { a: 1 });
add("wrapper-call", 'const x = {"a": [1, 2]};\nexport default x;', { a: [1, 2] });
add("wrapper-call", 'return {"a": 1};', { a: 1 });
add("wrapper-call", 'JSON.parse(\'{"a": 1}\')', { a: 1 });
add("wrapper-call", 'json.loads("""{"a": 1}""")', { a: 1 });
add("wrapper-call", 'module.exports = { a: 1, b: "x" };', { a: 1, b: "x" });
add("wrapper-call", 'data = {"a": None, "b": True}', { a: null, b: true });
add("wrapper-call", 'window.__DATA__ = {"a": {"b": 1}};', { a: { b: 1 } });
add("wrapper-call", 'print(json.dumps({"a": 1}))', { a: 1 });
add("wrapper-call", 'answer(success=True, data={"a": 1})', { a: 1 });
add("wrapper-call", 'let list = [1, 2, 3];', [1, 2, 3]);
add("wrapper-call", `finish(${TIDES})`, tides, "search");
add("wrapper-call", '{"_id": ObjectId("507f1f77"), "n": NumberLong("2"), "a": 1}', { _id: "507f1f77", n: ANY, a: 1 });
add("wrapper-call", '{"at": new Date("2024-01-01"), "a": 1}', { at: ANY, a: 1 });
add("wrapper-call", "/* cb */ cb([1, 2]);", [1, 2]);
add("wrapper-call", '{"text": "a" + "b", "n": 1}', { text: "ab", n: 1 });

// report-content
for (const report of [
  "| a | b |\n|---|---|\n| `{x}` | [1, 2,] |",
  'He said: "It\'s {complicated}, [see 2]", and // left /* early */',
  "Escapes: \\n \\t \\u0041 C:\\temp &quot; &amp; %20",
  "True, False, None, NaN, undefined,\n}, ], {, [",
  "<think>not a thought</think> \u001b[31mred\u001b[0m",
  "```json\n{\"success\": false, \"report\": \"inner\"}\n```",
  "trailing commas ,} ,] and 'single' “smart” quotes",
  "https://x.example/a//b?q={c}&r=[d]#e",
  "{\"success\": true, \"report\": \"nested\"}",
  "$$\\frac{a}{b}$$ and \\(x\\)",
  "  leading and trailing spaces  ",
  "# H1\n\n1. a\n2. b\n\n> quote\n\n---\n\n[link](u)",
]) {
  add("report-content", str(told(report)), told(report), "search");
  add("report-content", `Sure.\n\n\`\`\`json\n${JSON.stringify(told(report), null, 2)}\n\`\`\`\n`, told(report), "search");
}

// none
add("none", "I'm sorry, but I can't help with that.", NONE, "search");
add("none", "I am sorry, I cannot.", NONE);
add("none", "", NONE);
add("none", "   \n\t ", NONE);
add("none", "success: true\nreport: |\n  A long text\nmetadata:\n  sources_visited:\n    - https://a.example\n", NONE, "search");
add("none", "- one\n- two\n- three", NONE);
add("none", "# Report\n\nThe tides [1] follow the moon {see below}.\n\n[1]: https://tides.example", NONE, "search");
add("none", "null", NONE);
add("none", "if (x) { return [y]; }", NONE, "search");
add("none", "The answer is 42.", NONE);
add("none", "See [1], [2] and [3, 4].", NONE);
add("none", "Rate limit exceeded. Please try again later.", NONE, "search");
add("none", "name,age\nAda,36\nBob,40", NONE);
add("none", "<html><body><h1>502 Bad Gateway</h1></body></html>", NONE, "search");
add("none", "I would return {success: ..., report: ...} but I have no data.", NONE, "search");
add("none", "```python\nprint('hi')\n```", NONE);
add("none", "Error: ENOENT: no such file or directory, open 'x.json'", NONE, "search");
add("none", "key = value\n[section]\nother = 1", NONE, "search");
add("none", "function f() {}", NONE, "search");
add("none", '{"status": "running"}', NONE, "search");

// what other styles of answers taught
add("comments", '{"a": 1, <!-- the rest --> "b": 2}', { a: 1, b: 2 });
add("xml-wrap", '<answer><![CDATA[{"a": "<b>x</b>"}]]></answer>', { a: "<b>x</b>" });
add("unquoted", '{first-name: "A", last.name: "B", 3: "c"}', { "first-name": "A", "last.name": "B", 3: "c" });
add("truncated", '{"items": [{"a": 1}, {"a": 2}, …], "total": 2}', { items: [{ a: 1 }, { a: 2 }], total: 2 });
add("unicode", '{\u200b"a":\u200b 1,\u00a0"b": 2}', { a: 1, b: 2 });
add("brackets", '{"a": {"b": 1], "c": 2}', { a: { b: 1 }, c: 2 });
add("brackets", '{"a": {"b": 1], "c": 2}}', oneOf({ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }));
add("inner-quotes", '{"q": "Options: "A", "B", "C"", "a": "C"}', { q: 'Options: "A", "B", "C"', a: "C" });
add("latex-paths-regex", '{"regex": /^[a-z/]+$/i, "n": 1}', { regex: "/^[a-z/]+$/i", n: 1 });
add("fence", 'Answer:\n```json\n{"a": {"b": ["https://a.example/x"]}\n```', { a: { b: ["https://a.example/x"] } });

// adversarial
for (const [piece, count] of [["{", 20_000], ["[", 20_000], ['{"a":', 10_000], ['{"a":[', 10_000], ["```", 10_000], ["<think>", 5_000], ['{"', 10_000], ['\\', 20_000], ['"', 20_000], ["\u001b[31m", 5_000], ["{x} ", 10_000], ['"],', 10_000], ["/*", 10_000], ["{\"a\":1}", 5_000]]) {
  add("adversarial", piece.repeat(count), { $noCrash: true });
}
add("adversarial", `${"{".repeat(3000)} ${TIDES}`, { $noCrash: true }, "search");
add("adversarial", `${"<think>".repeat(200)}${"</think>".repeat(200)}${TIDES}`, tides, "search");

export default cases;
