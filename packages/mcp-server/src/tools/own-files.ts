import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentSource } from "@x/research";
import { quoted } from "../host/quoted.js";

/** Gives the folders that calls may name documents in. */
export type FindRoots = () => Promise<readonly string[]>;

/**
 * Finds what a call names as the person's own documents, inside the allowed folders alone: names and globs, absolute or
 * relative to any of them. Rejects with `INVALID_INPUT` that names the folders; its `reason` is `gone` when nothing is there.
 */
export async function documentsIn(files: readonly string[], roots: readonly string[]): Promise<DocumentSource[]> {
  if (roots.length === 0) {
    throw invalid(
      "files: no folder may be read here. Whoever runs this server can allow some with RESEARCH_ROOTS, and over HTTP also needs `http --files`.",
    );
  }
  const real = await Promise.all(roots.map(async (root) => [root, await realpath(root).catch(() => root)]));
  const sources = await Promise.all(files.map((file) => sourcesOf(file, [...new Set(real.flat())])));
  return sources.flat();
}

async function sourcesOf(file: string, roots: readonly string[]): Promise<DocumentSource[]> {
  const path = /^file:/i.test(file) ? pathOf(file) : file;
  const inside = roots.flatMap((root) => {
    const whole = resolve(root, path);
    return whole === root || whole.startsWith(root.endsWith(sep) ? root : root + sep) ? [{ root, whole }] : [];
  });
  if (inside.length === 0)
    throw invalid(`files: ${quoted(file)} is in no folder that may be read: ${roots.join(", ")}.`);
  // The part that is a name must be there; what the rest matches is found when it is read.
  const there = await Promise.all(inside.map(async (each) => ((await isThere(each)) ? [each] : [])));
  const found = there.flat();
  const [first] = found;
  if (first === undefined) {
    throw invalid(
      `files: there is no ${quoted(file)} in ${roots.join(", ")}. Expected a file, a folder or a glob such as notes/**/*.md.`,
      "gone",
    );
  }
  const asked = isAbsolute(path) ? [first] : found;
  return asked.map(({ root, whole }) => {
    const glob = relative(root, whole).split(sep).join("/");
    return glob === "" ? { root } : { root, glob };
  });
}

async function isThere({ root, whole }: { root: string; whole: string }): Promise<boolean> {
  const names = relative(root, whole).split(sep);
  const wild = names.findIndex((name) => /[*?{]/.test(name));
  const named = join(root, ...(wild === -1 ? names : names.slice(0, wild)));
  return (await exists(whole)) || (wild !== -1 && (await exists(named)));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw invalid(`files: ${quoted(url)} is no address of a file on this machine.`);
  }
}

function invalid(message: string, reason?: "gone"): Error {
  return Object.assign(new Error(message), { code: "INVALID_INPUT", ...(reason && { reason }) });
}
