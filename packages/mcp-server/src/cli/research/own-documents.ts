import { stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { DocumentSource } from "@x/research";
import type { Host } from "../../host/io.js";
import { absoluteOn } from "../../host/setting-values.js";

/** What the person names on the command line as documents: that they name it is the permission to read it. */
export async function ownDocuments(
  { files, folders }: { files: readonly string[]; folders: readonly string[] },
  host: Host,
): Promise<DocumentSource[]> {
  const absolute = absoluteOn(host);
  const globs = await Promise.all(folders.map((folder) => sourceOf(absolute(folder, host.cwd))));
  return [...files.map((file) => ({ root: absolute(file, host.cwd) })), ...globs];
}

/** A folder; or the folder before the first name that is a pattern, and the glob behind it. */
async function sourceOf(path: string): Promise<DocumentSource> {
  const names = path.split(sep);
  const wild = names.findIndex((name) => /[*?{]/.test(name));
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (wild === -1 || isThere) return { root: path };
  return { root: resolve(sep, join(...names.slice(0, wild), sep)), glob: names.slice(wild).join("/") };
}
