import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promptFiles } from "./prompts.generated.js";
import type { Prompts } from "./render.js";

const FILES = {
  search: "search-prompt.md",
  deepSearch: "deep-search-prompt.md",
  verify: "verify-prompt.md",
  correction: "correction-prompt.md",
  research: "research-prompt.md",
} as const satisfies Record<keyof Prompts, keyof typeof promptFiles>;

/** Without these a template cannot do its work. */
const NEEDED: Record<keyof Prompts, readonly string[]> = {
  search: ["query"],
  deepSearch: ["query"],
  verify: ["query", "current_result"],
  correction: ["json_example", "file_path"],
  research: ["topic"],
};

const keys = Object.keys(FILES) as (keyof Prompts)[];

/** The templates as they were when the package was built. */
export const builtInPrompts: Prompts = fromEach((key) => promptFiles[FILES[key]]);

/**
 * Reads the templates from `directory`; default: the folder that the package is shipped with. For a file that is
 * missing, unreadable or empty the built-in text serves, and `onWarning` hears of it. Never rejects.
 */
export async function loadPrompts(
  directory: string | undefined,
  onWarning: (message: string) => void = () => {},
): Promise<Prompts> {
  const folder = directory ?? fileURLToPath(new URL("../prompts", import.meta.url));
  // A package may come as one bundled file, and the sources have no copy: the built-in texts are theirs.
  if (directory === undefined && !(await isThere(join(folder, FILES.search)))) return builtInPrompts;
  const texts = await Promise.all(
    keys.map(async (key) => {
      const path = join(folder, FILES[key]);
      let text: string;
      try {
        text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
      } catch (error) {
        onWarning(`${path}: ${reasonOf(error)}; the built-in prompt is used.`);
        return builtInPrompts[key];
      }
      if (text.trim() === "") {
        onWarning(`${path}: the file is empty; the built-in prompt is used.`);
        return builtInPrompts[key];
      }
      const missing = NEEDED[key].filter((name) => !text.includes(`{{${name}}}`));
      if (missing.length > 0) {
        onWarning(
          `${path}: it has no ${missing.map((name) => `{{${name}}}`).join(" and no ")}, which belongs into it.`,
        );
      }
      return text;
    }),
  );
  return fromEach((key) => texts[keys.indexOf(key)] as string);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function fromEach(give: (key: keyof Prompts) => string): Prompts {
  return Object.fromEntries(keys.map((key) => [key, give(key)])) as unknown as Prompts;
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" ? "there is no such file" : `it cannot be read (${code ?? String(error)})`;
}
