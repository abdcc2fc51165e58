import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { extractAll, extractJson } from "../extract.js";
import { type Piece, PieceRepair, repairJson, SIZES } from "../repair-json.js";
import { checkText, type ExtractOptions, JsonExtractError, MAX_LENGTH, named, repairOf } from "../result.js";
import type { StandardSchemaV1 } from "../schema/fit.js";

const HELP = `Repairs JSON: reads a file or stdin, writes JSON to stdout, and says on stderr what it changed.

  json-repair [options] [file]

  --schema FILE   the JSON Schema that the value must fit; needs the package zod
  --all           every value of the text, one on a line
  --check         writes nothing to stdout; exit code 1 if anything had to be changed
  --version       the version of this package
  --help          this text

Up to 16,000,000 characters are read before anything is written. A longer text must be one object or list, or values that
--all writes; it is read and written piece by piece.
Exit codes: 0 done, 1 --check found something to change, 2 there is no JSON that can be read, 3 wrong use.
A repair that allows another reading is followed by a question mark.
`;

/** What the command is given by its surroundings. */
export interface Surroundings {
  stdin: AsyncIterable<string | Uint8Array>;
  /** `done` is called once more can be written. */
  stdout: { write(text: string, done?: () => void): unknown };
  stderr: { write(text: string): unknown };
}

/** Of this package; the build writes it here. */
declare const __VERSION__: string;

export const EXIT = { done: 0, changed: 1, unreadable: 2, wrongUse: 3 } as const;
const wrongUse = (message: string) => new JsonExtractError("invalid-options", message);
const FLAG = { type: "boolean" } as const;
const FLAGS = { all: FLAG, check: FLAG, version: FLAG, help: { ...FLAG, short: "h" } } as const;
const OPTIONS = { ...FLAGS, schema: { type: "string" } } as const;

/** Runs the command; gives its exit code. */
export async function command(args: readonly string[], { stdin, stdout, stderr }: Surroundings): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    if (values.help || values.version) {
      stdout.write(values.help ? HELP : `${__VERSION__}\n`);
      return EXIT.done;
    }
    const [file = "-"] = positionals;
    if (positionals.length > 1) throw wrongUse(`one file at a time, not ${positionals.length}`);
    const options = values.schema === undefined ? {} : { schema: await schemaIn(values.schema) };
    let isChanged = false;
    const chunks = file === "-" ? textOf(stdin, "stdin") : textOf(createReadStream(file), file);
    for await (const { text, repairs, complete } of (values.all ? allOf : oneOf)(chunks, options)) {
      if (!values.check) await new Promise<void>((done) => stdout.write(text, done));
      for (const { line, kind, sure, path } of repairs)
        stderr.write(`line ${line}: ${kind}${sure ? "" : "?"}${path ? ` at ${path}` : ""}\n`);
      if (!complete) stderr.write("the text breaks off\n");
      isChanged ||= repairs.length > 0 || !complete;
    }
    return values.check && isChanged ? EXIT.changed : EXIT.done;
  } catch (error) {
    const { code = "", message, at } = error as Partial<NodeJS.ErrnoException & JsonExtractError>;
    const isWrongUse = /^(?:ERR_PARSE_ARGS|invalid-options)/.test(code);
    if (!isWrongUse && !(error instanceof JsonExtractError)) throw error;
    // Of what `parseArgs` says, the first sentence.
    const why = code.startsWith("ERR") ? message?.split(". ", 1)[0] : message;
    const said = isWrongUse ? `${why}; see json-repair --help` : message;
    stderr.write(`json-repair: ${said}${at === undefined ? "" : ` (at character ${at})`}\n`);
    return isWrongUse ? EXIT.wrongUse : EXIT.unreadable;
  }
}

type Options = ExtractOptions<unknown>;

/** The text, if it is not too long; otherwise its parts, unless it has to be `whole`. */
async function* partsOf(chunks: AsyncIterable<string>, whole: boolean) {
  let [text, isLong] = ["", false];
  for await (const chunk of chunks) {
    text += chunk;
    if (whole) checkText(text);
    isLong ||= text.length > MAX_LENGTH;
    for (; isLong && text.length > SIZES.atOnce; text = text.slice(SIZES.atOnce))
      yield { text: text.slice(0, SIZES.atOnce), isPart: true };
  }
  yield { text, isPart: isLong };
}

/** The text as it is laid out, if it is one value from end to end; otherwise the value that is found in it. */
async function* oneOf(chunks: AsyncIterable<string>, options: Options): AsyncGenerator<Piece> {
  const long = new PieceRepair();
  let last: Piece | undefined;
  for await (const { text, isPart } of partsOf(chunks, options.schema !== undefined)) {
    const piece = isPart ? long.push(text) : undefined;
    if (piece) yield piece;
    if (!isPart) last = withAround(wholeOf(text, options), text);
  }
  const { text, ...told } = last ?? long.end();
  yield { text: `${text.trimEnd()}\n`, ...told };
}

/** Also that something around the value was left out, if that is all that was changed. */
function withAround(piece: Piece, text: string): Piece {
  const at = text.indexOf(piece.text);
  const around = text.slice(0, at) + text.slice(at + piece.text.length);
  if (piece.repairs.length > 0 || /^[ \t\r\n]*$/.test(around)) return piece;
  return { ...piece, repairs: [{ ...repairOf("surroundings", 0, true), line: 1 }] };
}

function wholeOf(text: string, options: Options): Piece {
  if (options.schema === undefined) {
    try {
      return repairJson(text);
    } catch (error) {
      if (!(error instanceof JsonExtractError)) throw error;
    }
  }
  const result = extractJson(text, options);
  if (!result.ok) throw result.error;
  const { value, range, source, repairs, complete } = result;
  const isAsItStands = repairs.length === 0 && complete && source !== "string" && source !== "envelope";
  return { text: isAsItStands ? text.slice(...range) : JSON.stringify(value, null, 2), repairs, complete };
}

/** Every value; of a text that is too long, again and again those that what comes behind them cannot change. */
async function* allOf(chunks: AsyncIterable<string>, options: Options): AsyncGenerator<Piece> {
  let [text, gone, wanted, isFound] = ["", 0, SIZES.atOnce, false];
  function* upTo(end: number): Generator<Piece> {
    const found = extractAll(text, { ...options, maxLength: text.length }).filter(({ range }) => range[1] <= end);
    for (const one of found.flatMap(({ repairs }) => repairs)) one.line += gone;
    const pieces = found.map(({ value, ...told }) => ({ text: `${JSON.stringify(value)}\n`, ...told }));
    const last = pieces.pop();
    if (!last) return;
    isFound = true;
    yield* pieces;
    const cut = last.range[1];
    gone += text.slice(0, cut).split("\n").length - 1;
    text = text.slice(cut);
    // So much had to be repaired that the rest was not read, if anything can be read there.
    const rest = last.complete ? undefined : upTo(end - cut);
    const next = rest?.next();
    yield { ...last, complete: last.complete || next?.done === false };
    if (next?.done === false) yield next.value;
    if (rest) yield* rest;
  }
  for await (const { text: part, isPart } of partsOf(chunks, false)) {
    text += part;
    if (!isPart || text.length < wanted) continue;
    yield* upTo(text.length - SIZES.ahead);
    checkText(text);
    wanted = Math.min(Math.max(SIZES.atOnce, 2 * text.length), MAX_LENGTH + 1);
  }
  yield* upTo(text.length);
  if (!isFound) throw new JsonExtractError("not-found", "there is no JSON object or list in the text");
}

async function schemaIn(file: string): Promise<StandardSchemaV1<unknown, unknown>> {
  let schema = "";
  for await (const { text } of partsOf(textOf(createReadStream(file), file), true)) schema = text;
  const { z } = await import("zod").catch(() => {
    throw wrongUse("--schema needs the package zod: npm install zod, or npx -p zod -p @x/json-repair json-repair");
  });
  try {
    const json = JSON.parse(schema);
    if (typeof json !== "boolean" && (Object(json) !== json || Array.isArray(json)))
      throw new Error(`it is ${named(json)}`);
    return z.fromJSONSchema(json);
  } catch (error) {
    throw wrongUse(`${file} is no JSON Schema: ${(error as Error).message.split("\n")[0]}`);
  }
}

async function* textOf(input: Surroundings["stdin"], name: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const piece of input) {
      // As PowerShell writes it.
      if (typeof piece !== "string")
        decoder ??= new TextDecoder(piece[0] === 0xff && piece[1] === 0xfe ? "utf-16le" : "utf-8", { fatal: true });
      yield typeof piece === "string" ? piece : (decoder?.decode(piece, { stream: true }) ?? "");
    }
  } catch (error) {
    const { code = "error" } = error as NodeJS.ErrnoException;
    if (code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw wrongUse(`${name} cannot be read (${code})`);
    throw new JsonExtractError("syntax", `${name} is not UTF-8: convert it first, as iconv does`);
  }
}
