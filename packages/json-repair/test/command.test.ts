import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { command } from "../src/cli/command.js";

const folder = mkdtempSync(join(tmpdir(), "json-repair-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], input = "") {
  const out: string[] = [];
  const err: string[] = [];
  async function* stdin() {
    // A character of several bytes may come in two pieces.
    for (const byte of Buffer.from(input)) yield Uint8Array.of(byte);
  }
  const code = await command(args, {
    stdin: stdin(),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
  });
  return { code, out: out.join(""), err: err.join("") };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("a damaged file is repaired in its own layout, and the repairs are told", async () => {
  const path = file("config.json", '{\n  // note\n  name: "Zoë",\n  "version": 1.10,\n}\n');
  expect(await run([path])).toEqual({
    code: 0,
    out: '{\n  \n  "name": "Zoë",\n  "version": 1.10\n}\n',
    err: "line 2: comment\nline 3: unquoted\nline 4: trailing-comma\n",
  });
});

test("a value among words on stdin is found, and what is sound keeps its digits", async () => {
  expect(await run([], 'Sure – é: {"a": 1.10, "id": 12345678901234567890} Bye')).toEqual({
    code: 0,
    out: '{"a": 1.10, "id": 12345678901234567890}\n',
    err: "",
  });
});

test("--check writes nothing, and its exit code says whether anything had to be changed", async () => {
  expect(await run(["--check"], '{"a": 1}')).toEqual({ code: 0, out: "", err: "" });
  expect(await run(["--check"], '{"a": 1')).toEqual({
    code: 1,
    out: "",
    err: "line 1: unclosed?\nthe text breaks off\n",
  });
});

test("--all writes every value on a line of its own", async () => {
  expect(await run(["--all"], 'One: {"a": 1}\nTwo: {"a": 2,}')).toMatchObject({
    code: 0,
    out: '{"a":1}\n{"a":2}\n',
    err: "line 2: trailing-comma\n",
  });
});

test("--schema coerces, and refuses what does not fit", async () => {
  const schema = file("schema.json", '{"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}');
  expect(await run(["--schema", schema], '{"n": "1,234,567"}')).toEqual({
    code: 0,
    out: '{\n  "n": 1234567\n}\n',
    err: "line 1: coercion at n\n",
  });
  expect(await run(["--schema", schema], '{"m": 1}')).toMatchObject({ code: 2, out: "" });
});

test.each([
  ["no JSON", [], "I am sorry.", 2, "there is no JSON"],
  ["an option nobody knows", ["--fix"], "", 3, "Unknown option '--fix'"],
  ["two files", ["a", "b"], "", 3, "one file at a time"],
  ["a file that is not there", ["nowhere.json"], "", 3, "nowhere.json cannot be read (ENOENT)"],
  ["a schema that is none", ["--schema", file("none.json", "{")], "{}", 3, "is no JSON Schema"],
])("%s is said in one line", async (_, args, input, code, message) => {
  const result = await run(args, input);
  expect(result).toMatchObject({ code, out: "" });
  expect(result.err).toContain(message);
  expect(result.err.split("\n")).toHaveLength(2);
});

test("a text that does not end is read up to the limit, and its source is closed", async () => {
  let closed = false;
  let pieces = 0;
  async function* stdin() {
    try {
      for (; pieces < 1_000; pieces++) yield " ".repeat(1_000_000);
    } finally {
      closed = true;
    }
  }
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) };
  const code = await command([], { stdin: stdin(), stdout: { write: () => {} }, stderr });
  expect({ code, said, closed }).toEqual({
    code: 2,
    said: ["json-repair: the text has more than 16,000,000 characters\n"],
    closed: true,
  });
  expect(pieces).toBe(16);
});

test("--help names every option and exit code", async () => {
  const { code, out } = await run(["--help"]);
  expect(code).toBe(0);
  for (const word of ["--schema", "--all", "--check", "Exit codes"]) expect(out).toContain(word);
});
