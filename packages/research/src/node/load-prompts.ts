import type { Stats } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FolderRisk, fileRisk, folderRisks, readText } from "@x/owned-files";
import { builtInPrompts, PROMPT_FILES } from "../prompts/built-in.js";
import type { Prompts } from "../prompts/render.js";

/** The placeholders that each template must have. */
const NEEDED: Record<keyof Prompts, readonly string[]> = {
  search: ["query"],
  deepSearch: ["query"],
  verify: ["query", "current_result"],
  correction: ["json_example", "file_path"],
  research: ["topic"],
  followUp: ["earlier_report", "earlier_claims"],
  refresh: ["earlier_claims"],
  data: ["schema"],
  plan: ["query"],
  byPlan: ["plan_queries"],
};

/** Ten times what a long one has. */
const LONGEST_BYTES = 1_000_000;

/** What a folder of one's own templates need not have. */
const OPTIONAL: ReadonlySet<keyof Prompts> = new Set(["followUp", "refresh", "data", "plan", "byPlan"]);

const keys = Object.keys(PROMPT_FILES) as (keyof Prompts)[];

/**
 * Reads the templates from `directory`; default: the folder that the package is shipped with. For a file that is
 * missing, unreadable, too long or empty the built-in text serves, and `onWarning` hears of it; also, once, of templates
 * that others may change. Never rejects.
 */
export async function loadPrompts(
  directory: string | undefined,
  onWarning: (message: string) => void = () => {},
): Promise<Prompts> {
  const folder = directory ?? fileURLToPath(new URL("../prompts", import.meta.url));
  // A package may come as one bundled file, and the sources have no copy: the built-in texts are theirs.
  if (directory === undefined && !(await isThere(join(folder, PROMPT_FILES.search)))) return builtInPrompts;
  const risky: string[] = [];
  const onRisk = (file: string) => void risky.push(file);
  const texts = await Promise.all(
    keys.map(async (key) => [key, await loadOne(folder, key, { onWarning, onRisk })] as const),
  );
  if (directory !== undefined) warnOfOthers(folder, risky, await folderRisks(folder).catch(() => []), onWarning);
  return Object.fromEntries(texts) as unknown as Prompts;
}

/** Whoever may change a template decides what the model is asked; a checkout that a team shares is their own affair. */
function warnOfOthers(
  folder: string,
  risky: readonly string[],
  [risk]: readonly FolderRisk[],
  onWarning: (message: string) => void,
): void {
  const files = risky.length === 0 ? undefined : `others may write to ${[...risky].sort().join(", ")}`;
  const why = risk?.why ?? files;
  if (why === undefined) return;
  onWarning(`${folder}: others may change these prompts, and with them what is asked: ${why}. Mend it: chmod -R go-w.`);
}

interface Listeners {
  onWarning: (message: string) => void;
  onRisk: (file: string) => void;
}

async function loadOne(folder: string, key: keyof Prompts, { onWarning, onRisk }: Listeners): Promise<string> {
  const path = join(folder, PROMPT_FILES[key]);
  let text: string;
  try {
    const check = (found: Stats) => fileRisk(found, { ownGroup: true }) && onRisk(PROMPT_FILES[key]);
    text = (await readText(path, { mostBytes: LONGEST_BYTES, check })).replace(/^\uFEFF/, "");
  } catch (error) {
    const isLeftOut = OPTIONAL.has(key) && (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!isLeftOut) onWarning(`${path}: ${reasonOf(error)}; the built-in prompt is used.`);
    return builtInPrompts[key];
  }
  if (text.trim() === "") {
    onWarning(`${path}: the file is empty; the built-in prompt is used.`);
    return builtInPrompts[key];
  }
  const missing = NEEDED[key].filter((name) => !text.includes(`{{${name}}}`)).map((name) => `{{${name}}}`);
  if (missing.length > 0) onWarning(`${path}: it has no ${missing.join(" and no ")}, which belongs into it.`);
  return text;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EFBIG") return `it is longer than ${LONGEST_BYTES} bytes`;
  return code === "ENOENT" ? "there is no such file" : `it cannot be read (${code ?? String(error)})`;
}
