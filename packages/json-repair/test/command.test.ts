import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    stdout: {
      write: (text, done) => {
        out.push(text);
        done?.();
      },
    },
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

test("a file in UTF-16, as PowerShell writes it, is read", async () => {
  const path = join(folder, "utf16.json");
  writeFileSync(path, Buffer.from('\ufeff{"a": "Zoë"}', "utf16le"));
  expect(await run([path])).toEqual({ code: 0, out: '{"a": "Zoë"}\n', err: "" });
});

test("a file in another encoding is refused, and one that ends within a character is read", async () => {
  const path = join(folder, "latin1.json");
  writeFileSync(path, Buffer.from('{"a": "Zoë"}', "latin1"));
  const err = `json-repair: ${path} is not UTF-8: convert it first, as iconv does\n`;
  expect(await run([path])).toEqual({ code: 2, out: "", err });
  writeFileSync(path, Buffer.from('{"a": "Zoë').subarray(0, -1));
  expect(await run([path])).toMatchObject({ code: 0, out: '{"a": "Zo"}\n' });
});

test("a value among words on stdin is found, and what is sound keeps its digits", async () => {
  expect(await run([], 'Sure – é: {"a": 1.10, "id": 12345678901234567890} Bye')).toEqual({
    code: 0,
    out: '{"a": 1.10, "id": 12345678901234567890}\n',
    err: "line 1: surroundings\n",
  });
});

test.each(["```json\n[1]\n```\n", 'The answer is {"a": 1}.', "\u00a0[1]"])(
  "--check tells what stands around a value: %j",
  async (text) => {
    expect(await run(["--check"], text)).toEqual({ code: 1, out: "", err: "line 1: surroundings\n" });
  },
);

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

test("--all says that a value behind those that fit breaks off, and takes no words for one", async () => {
  const schema = file("a.json", '{"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}');
  expect(await run(["--all", "--schema", schema], '{"a": 1}\n{"b": "tw')).toEqual({
    code: 0,
    out: '{"a":1}\n',
    err: "line 1: surroundings?\nthe text breaks off\n",
  });
  expect(await run(["--all"], '{"a": 1}\n[Music, applause]\n')).toMatchObject({ out: '{"a":1}\n' });
});

test("--all writes every value, however many are damaged", async () => {
  const { code, out, err } = await run(["--all"], "{a:1,}\n".repeat(40_000));
  expect({ code, out }).toEqual({ code: 0, out: '{"a":1}\n'.repeat(40_000) });
  expect(err).not.toContain("breaks off");
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
  ["nothing for a schema", ["--schema", file("null.json", "null")], "{}", 3, "is no JSON Schema: it is null"],
  ["a list for a schema", ["--schema", file("list.json", "[1]")], "{}", 3, "is no JSON Schema: it is a list"],
])("%s is said in one line", async (_, args, input, code, message) => {
  const result = await run(args, input);
  expect(result).toMatchObject({ code, out: "" });
  expect(result.err).toContain(message);
  expect(result.err.split("\n")).toHaveLength(2);
});

test.each([
  ["blanks", [], " ", "the text has more than 16,000,000 characters"],
  ["words, of which every value is asked for", ["--all"], "words ", "the text has more than 16,000,000 characters"],
  ["a member", [], '["words ', "the text has more than 16,000,000 characters"],
])("a text of %s that does not end is read up to a limit, and its source is closed", async (_, args, begin, said) => {
  const asked = { pieces: 0, closed: false };
  async function* stdin() {
    try {
      for (; asked.pieces < 1_000; asked.pieces++)
        yield (asked.pieces === 0 ? begin : "").padEnd(1_000_000, begin.slice(-6));
    } finally {
      asked.closed = true;
    }
  }
  const err: string[] = [];
  const stderr = { write: (text: string) => err.push(text) };
  const code = await command(args, { stdin: stdin(), stdout: { write: () => {} }, stderr });
  expect({ code, err, closed: asked.closed }).toEqual({ code: 2, err: [`json-repair: ${said}\n`], closed: true });
  expect(asked.pieces).toBeLessThan(20);
});

/** A list of many rows, of which every tenth has a comma too many, in chunks. */
async function* longList(count: number, between: string, brackets: string) {
  const row = (nth: number) => `{"id": ${nth}, "note": "${"words ".repeat(20)}"${nth % 10 ? "" : ","}}`;
  yield brackets.slice(0, 1);
  for (let nth = 0; nth < count; nth += 1_000)
    yield Array.from({ length: 1_000 }, (_, more) => (nth + more > 0 ? between : "") + row(nth + more)).join("");
  yield brackets.slice(1);
}

test.each([
  ["a list is repaired", [], ",\n", "[]"],
  ["every value is written", ["--all"], "\n", ""],
])(
  "of a text beyond the limit %s piece by piece, and no faster than it is taken",
  async (_, args, between, brackets) => {
    const rows = 130_000;
    const repairs: string[] = [];
    const writes: number[] = [];
    let [out, waiting] = ["", 0];
    const stdout = {
      write(text: string, done?: () => void) {
        waiting++;
        writes.push(text.length);
        out += text;
        setImmediate(() => {
          waiting--;
          done?.();
        });
        expect(waiting).toBe(1);
      },
    };
    const stderr = { write: (text: string) => repairs.push(text) };
    expect(await command(args, { stdin: longList(rows, between, brackets), stdout, stderr })).toBe(0);
    expect(out.length).toBeGreaterThan(16_000_000);
    expect(repairs).toHaveLength(rows / 10);
    expect(repairs.at(-1)).toBe(`line ${rows - 9}: trailing-comma\n`);
    const values = args.length > 0 ? out.trim().split("\n") : JSON.parse(out);
    expect(values).toHaveLength(rows);
    expect(values.at(-1)).toEqual(
      args.length > 0 ? expect.stringContaining(`"id":${rows - 1},`) : expect.objectContaining({ id: rows - 1 }),
    );
    expect(writes.length).toBeGreaterThan(1);
  },
);

test("--help names every option and exit code", async () => {
  const { code, out } = await run(["--help"]);
  expect(code).toBe(0);
  for (const word of ["--schema", "--all", "--check", "--version", "Exit codes"]) expect(out).toContain(word);
});

test("--version tells that of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(await run(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
});
