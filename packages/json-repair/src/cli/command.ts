import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { extractAll, extractJson } from "../extract.js";
import { type Repaired, repairJson } from "../repair-json.js";
import { checkText, type ExtractOptions, JsonExtractError } from "../result.js";
import type { StandardSchemaV1 } from "../schema/fit.js";

const HELP = `Repairs JSON: reads a file or stdin, writes JSON to stdout, and says on stderr what it changed.

  json-repair [options] [file]

  --schema FILE   the JSON Schema that the value must fit; needs the package zod
  --all           every value of the text, one on a line
  --check         writes nothing to stdout; exit code 1 if anything had to be changed
  --help          this text

The text is read whole before anything is written: up to 16,000,000 characters.
Exit codes: 0 done, 1 --check found something to change, 2 there is no JSON that can be read, 3 wrong use.
A repair that allows another reading is followed by a question mark.
`;

/** What the command is given by its surroundings. */
export interface Surroundings {
  stdin: AsyncIterable<string | Uint8Array>;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

const EXIT = { done: 0, changed: 1, unreadable: 2, wrongUse: 3 } as const;
const wrongUse = (message: string) => new JsonExtractError("invalid-options", message);
const FLAG = { type: "boolean" } as const;
const OPTIONS = { all: FLAG, check: FLAG, help: { ...FLAG, short: "h" }, schema: { type: "string" } } as const;

/** Runs the command; gives its exit code. */
export async function command(args: readonly string[], { stdin, stdout, stderr }: Surroundings): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    if (values.help) {
      stdout.write(HELP);
      return EXIT.done;
    }
    const [file = "-"] = positionals;
    if (positionals.length > 1) throw wrongUse(`one file at a time, not ${positionals.length}`);
    const options = values.schema === undefined ? {} : { schema: await schemaIn(values.schema) };
    const text = await (file === "-" ? joined(stdin) : contentOf(file));
    const found = values.all ? allOf(text, options) : [oneOf(text, options)];
    for (const { text: json, repairs, complete } of found) {
      if (!values.check) stdout.write(`${json}\n`);
      for (const { line, kind, sure, path } of repairs)
        stderr.write(`line ${line}: ${kind}${sure ? "" : "?"}${path ? ` at ${path}` : ""}\n`);
      if (!complete) stderr.write("the text breaks off\n");
    }
    const isChanged = found.some(({ repairs, complete }) => repairs.length > 0 || !complete);
    return values.check && isChanged ? EXIT.changed : EXIT.done;
  } catch (error) {
    const { code = "", message, at } = error as Partial<NodeJS.ErrnoException & JsonExtractError>;
    const isWrongUse = /^(?:ERR_PARSE_ARGS|invalid-options)/.test(code);
    if (!isWrongUse && !(error instanceof JsonExtractError)) throw error;
    // Of what `parseArgs` says, the first sentence.
    const said = isWrongUse ? `${message?.split(". ", 1)[0]}; see json-repair --help` : message;
    stderr.write(`json-repair: ${said}${at === undefined ? "" : ` (at character ${at})`}\n`);
    return isWrongUse ? EXIT.wrongUse : EXIT.unreadable;
  }
}

type Written = Pick<Repaired, "text" | "repairs" | "complete">;

/** As the text is laid out, if it is one value from end to end; otherwise the value that is found in it. */
function oneOf(text: string, options: ExtractOptions<unknown>): Written {
  if (options.schema === undefined) {
    try {
      const repaired = repairJson(text);
      return { ...repaired, text: repaired.text.trimEnd() };
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

function allOf(text: string, options: ExtractOptions<unknown>): Written[] {
  const found = extractAll(text, options);
  if (found.length === 0) throw new JsonExtractError("not-found", "there is no JSON object or list in the text");
  return found.map(({ value, repairs, complete }) => ({ text: JSON.stringify(value), repairs, complete }));
}

async function schemaIn(file: string): Promise<StandardSchemaV1<unknown, unknown>> {
  const text = await contentOf(file);
  const { z } = await import("zod").catch(() => {
    throw wrongUse("--schema needs the package zod: npm install zod, or npx -p zod -p @x/json-repair json-repair");
  });
  try {
    return z.fromJSONSchema(JSON.parse(text));
  } catch (error) {
    throw wrongUse(`${file} is no JSON Schema: ${(error as Error).message.split("\n")[0]}`);
  }
}

function contentOf(file: string): Promise<string> {
  return joined(createReadStream(file)).catch((error) => {
    throw error instanceof JsonExtractError ? error : wrongUse(`${file} cannot be read (${error.code ?? "error"})`);
  });
}

/** Reads up to the limit: what never ends does not fill the memory. */
async function joined(pieces: Surroundings["stdin"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of pieces) {
    text += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    checkText(text);
  }
  return text + decoder.decode();
}
