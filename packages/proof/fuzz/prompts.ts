import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { builtInPrompts, renderPrompt } from "@x/research";
import { loadPrompts } from "@x/research/node";
import * as fc from "fast-check";
import { garbled, words } from "./hostile.js";
import { must, mustBeUnpolluted, type Target } from "./target.js";

const FILES = [
  "search-prompt.md",
  "deep-search-prompt.md",
  "verify-prompt.md",
  "correction-prompt.md",
  "research-prompt.md",
] as const;

/** Each place of the template takes the whole value: together they stay far below the longest text there can be. */
const TEMPLATE_LIMIT = 20_000;
const VALUE_LIMIT = 2_000;

const template = fc
  .array(
    fc.oneof(
      words,
      fc.constantFrom("{{query}}", "{{current_result}}", "{{", "}}", "{{ query }}", "{{{query}}}", "{{__proto__}}"),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join("").slice(0, TEMPLATE_LIMIT));

const filling = words.map((text) => text.slice(0, VALUE_LIMIT));

/** How one file of a folder of templates stands there. */
const file = fc.oneof(
  fc.record({ is: fc.constant("text" as const), bytes: garbled(template) }),
  fc.record({ is: fc.constantFrom("missing" as const, "folder" as const) }),
);

export const promptTemplates: Target = {
  name: "prompt templates",
  about:
    "Templates and values, and folders of templates: one pass, no value is read as a template, the built-in text stands behind.",
  async open() {
    const parent = await mkdtemp(path.join(os.tmpdir(), "fuzz-prompts-"));
    let count = 0;
    return {
      property: fc.asyncProperty(
        template,
        fc.dictionary(fc.oneof(words, fc.constantFrom("query", "current_result")), filling, { maxKeys: 5 }),
        fc.tuple(...FILES.map(() => file)),
        async (text, values, files) => {
          must(renderPrompt(text, values) === oneByOne(text, values), () => "a value was read as a template");
          const folder = path.join(parent, String(count++));
          await mkdir(folder);
          await Promise.all(
            files.map(async (each, i) => {
              const at = path.join(folder, FILES[i] as string);
              if (each.is === "text") await writeFile(at, each.bytes, "latin1");
              if (each.is === "folder") await mkdir(at);
            }),
          );
          const warnings: string[] = [];
          const prompts = await loadPrompts(folder, (warning) => warnings.push(warning));
          for (const [key, prompt] of Object.entries(prompts)) {
            must(prompt.trim() !== "", () => `${key} is empty`);
          }
          must(Object.keys(prompts).join() === Object.keys(builtInPrompts).join(), () => "a prompt is missing");
          const unread = files.filter((each) => each.is !== "text").length;
          must(
            warnings.length >= unread,
            () => `${unread} files cannot be read, and ${warnings.length} warnings say so`,
          );
          mustBeUnpolluted();
          await rm(folder, { recursive: true });
        },
      ),
      close: () => rm(parent, { recursive: true, force: true }),
    };
  },
};

/** The same by another way: cut at the placeholders, then put together. */
function oneByOne(text: string, values: Record<string, string>): string {
  return text
    .split(/(\{\{\w+\}\})/)
    .map((part, i) => {
      const name = part.slice(2, -2);
      return i % 2 === 1 && Object.getOwnPropertyNames(values).includes(name) ? values[name] : part;
    })
    .join("");
}
