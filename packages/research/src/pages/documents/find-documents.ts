import type { Dirent, Stats } from "node:fs";
import { opendir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { ResearchError } from "../../errors.js";
import type { DocumentSource } from "../../request.js";
import { looksLikeText } from "./document-kind.js";
import { isGlob, Match, parseGlob } from "./glob.js";

/** A file that may be read. */
export interface FoundDocument {
  /** Its address, `file:`. */
  url: string;
  /** Absolute, behind symbolic links. */
  path: string;
  /** Its place below the folder that was named, with `/`. */
  name: string;
  /** The folder that it must stay in, absolute, behind symbolic links. */
  root: string;
  bytes: number;
}

/** What was found, and what was passed over, in words. */
export interface FoundDocuments {
  documents: FoundDocument[];
  passedOver: string[];
}

/** Limits of one research. */
const MAX_DOCUMENTS = 20_000;
export const MAX_DOCUMENT_BYTES = 50 * 1_048_576;
/** Entries of folders that are looked at. */
const MAX_ENTRIES = 300_000;
const MAX_DEPTH = 64;
/** Reasons that are told. */
const MAX_REASONS = 20;
const IS_NO_TEXT = "is no text";
const IS_TOO_LARGE = `is larger than ${MAX_DOCUMENT_BYTES / 1_048_576} MiB`;
/** What is expected instead, by the reason against a document. */
const EXPECTED: readonly (readonly [reason: string, expected: string])[] = [
  [IS_NO_TEXT, "text or PDF: save office files and pictures as one of these."],
  [IS_TOO_LARGE, "smaller documents: cut it into parts."],
  ["", "the name of a file or folder, or a glob such as **/*.md."],
];
/** Files of folders that are looked into for what is no text; of others it shows when they are read. */
const MAX_LOOKED_INTO = 1_000;

/** What is no text, by its name; what is named by itself is looked into. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?|ico|icns|psd|mp[34]|m4[av]|mov|avi|mkv|webm|wav|flac|ogg|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|class|exe|dll|so|dylib|o|a|lib|bin|iso|dmg|img|woff2?|ttf|otf|eot|sqlite3?|db|pyc|wasm|docx?|xlsx?|pptx?|odt|ods|odp|parquet|pack|idx)$/i;

/**
 * Finds the files that are meant. Symbolic links are followed to what stands below the same folder, never out of it; what is no
 * plain file is never opened. Rejects with `INVALID_INPUT` when nothing is found, or more than can be read.
 */
export async function findDocuments(
  sources: readonly DocumentSource[],
  { maxDocuments = MAX_DOCUMENTS }: { maxDocuments?: number } = {},
): Promise<FoundDocuments> {
  const finding = new Finding(maxDocuments);
  for (const source of sources) await finding.add(source);
  return finding.found();
}

interface MeantFile {
  path: string;
  root: string;
  state: Stats;
  /** By itself, not by a folder or a glob. */
  isNamed: boolean;
}

class Finding {
  readonly #documents = new Map<string, FoundDocument>();
  readonly #reasons: string[] = [];
  readonly #maxDocuments: number;
  /** Files that were meant, each time one was. */
  #meant = 0;
  #passedOver = 0;
  #entries = 0;
  #lookedInto = 0;

  constructor(maxDocuments: number) {
    this.#maxDocuments = maxDocuments;
  }

  async add({ root, glob = "" }: DocumentSource): Promise<void> {
    const before = this.#meant;
    const shown = glob === "" ? root : `${glob} in ${root}`;
    const start = await realpath(root).catch((error: NodeJS.ErrnoException) => {
      throw invalid(`${root} cannot be read: ${reasonOf(error)}. Expected a file or a folder that is there.`);
    });
    const state = await stat(start);
    const named = isGlob(glob) && !(await isThere(join(start, glob)));
    if (state.isDirectory() && named) {
      await this.#walk({ folder: start, root: start, match: Match.of(parseGlob(glob)), depth: 0, met: new Set() });
    } else await this.#take(start, glob);
    if (this.#meant === before) this.#passOver(`no document matches ${shown}`);
  }

  found(): FoundDocuments {
    const documents = [...this.#documents.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const more = this.#passedOver - this.#reasons.length;
    const passedOver = [...this.#reasons, ...(more > 0 ? [`${more} more were passed over`] : [])];
    if (documents.length === 0) {
      const [, expected] = EXPECTED.find(([why]) => this.#reasons.some((reason) => reason.includes(why))) ?? [];
      throw invalid(`No document can be read: ${passedOver.join("; ")}. Expected ${expected}`);
    }
    return { documents, passedOver };
  }

  /** What is named by itself: a file, or all that is in a folder. */
  async #take(start: string, name: string): Promise<void> {
    const path = await realpath(resolve(start, name)).catch((error: NodeJS.ErrnoException) => {
      throw invalid(
        `${join(start, name)} cannot be read: ${reasonOf(error)}. Expected a file or a folder that is there.`,
      );
    });
    if (!isWithin(path, start)) throw invalid(`${join(start, name)} leads out of ${start}. Expected what is in it.`);
    const state = await stat(path);
    const root = (await stat(start)).isDirectory() ? start : resolve(start, "..");
    if (state.isDirectory()) {
      await this.#walk({ folder: path, root, match: Match.of([[]]), depth: 0, met: new Set() });
    } else await this.#file({ path, root, state, isNamed: true });
  }

  async #walk(at: { folder: string; root: string; match: Match; depth: number; met: Set<string> }): Promise<void> {
    const { folder, root, match, depth, met } = at;
    const key = `${match.key} ${folder}`;
    if (met.has(key) || depth > MAX_DEPTH) return;
    met.add(key);
    const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
      this.#passOver(`${folder} cannot be read: ${reasonOf(error)}`);
    });
    for await (const entry of entries ?? []) {
      if (++this.#entries > MAX_ENTRIES) {
        throw invalid(`${root} holds more than ${MAX_ENTRIES} files. Expected a smaller folder, or a narrower glob.`);
      }
      const next = match.step(entry.name);
      if (next.goesOn) await this.#entry(entry, { ...at, match: next, depth: depth + 1 });
    }
  }

  async #entry(entry: Dirent, at: { folder: string; root: string; match: Match; depth: number; met: Set<string> }) {
    const { folder, root, match } = at;
    const here = join(folder, entry.name);
    const path = entry.isSymbolicLink() ? await realpath(here).catch(() => undefined) : here;
    if (path === undefined) return;
    if (!isWithin(path, root)) {
      this.#meant++;
      this.#passOver(`${here} leads out of ${root}`);
      return;
    }
    const state = await stat(path).catch(() => undefined);
    if (state?.isDirectory()) await this.#walk({ ...at, folder: path });
    else if (state !== undefined && match.isWhole) await this.#file({ path, root, state, isNamed: false });
  }

  async #file({ path, root, state, isNamed }: MeantFile): Promise<void> {
    this.#meant++;
    if (this.#documents.has(path)) return;
    const isLookedInto = isNamed || this.#lookedInto++ < MAX_LOOKED_INTO;
    const reason = reasonAgainst(path, state, isNamed) ?? (isLookedInto ? await reasonInside(path) : undefined);
    if (reason !== undefined) {
      this.#passOver(`${path} ${reason}`);
      return;
    }
    if (this.#documents.size >= this.#maxDocuments) {
      throw invalid(
        `More than ${this.#maxDocuments} documents are meant. Expected a smaller folder, or a narrower glob.`,
      );
    }
    const name = relative(root, path).split(sep).join("/") || basename(path);
    this.#documents.set(path, { url: addressOf(path), path, name, root, bytes: state.size });
  }

  #passOver(reason: string): void {
    this.#passedOver++;
    if (this.#reasons.length < MAX_REASONS) this.#reasons.push(reason);
  }
}

/** Why a file is passed over, in words that follow its path. */
function reasonAgainst(path: string, state: Stats, isNamed: boolean): string | undefined {
  if (!state.isFile()) return "is no plain file";
  if (!isNamed && NO_TEXT.test(path)) return `${IS_NO_TEXT}, by its name`;
  if (state.size === 0) return "is empty";
  return state.size > MAX_DOCUMENT_BYTES ? IS_TOO_LARGE : undefined;
}

/** The same of what is in it. */
async function reasonInside(path: string): Promise<string | undefined> {
  try {
    return (await looksLikeText(path)) ? undefined : `${IS_NO_TEXT}, by what is in it`;
  } catch (error) {
    return `cannot be read: ${reasonOf(error as NodeJS.ErrnoException)}`;
  }
}

/** The address of a file; no sign in it ends it where it stands in Markdown or in a sentence. */
export function addressOf(path: string): string {
  const code = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return pathToFileURL(path).href.replaceAll(/[!'()*~[\]|^]/g, code);
}

/** Whether a path is a folder or what is in it. Both are absolute and behind symbolic links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ENOENT: "it is not there",
    ENOTDIR: "it is not there",
    EACCES: "you have no right to",
    EPERM: "you have no right to",
    ELOOP: "its links go round in a circle",
    ENAMETOOLONG: "the name is too long",
  };
  return known[code ?? ""] ?? String(code);
}

function invalid(message: string): ResearchError {
  return new ResearchError("INVALID_INPUT", message);
}
