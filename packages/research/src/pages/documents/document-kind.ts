import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { KIND_BYTES, kindOf } from "../text/page-kind.js";

/** What some endings say; of what has another one, the content tells. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  pdf: "application/pdf",
  md: "text/markdown",
  csv: "text/csv",
  json: "application/json",
};

/** The content type that the name of a file says; empty when it says none. */
export function typeOf(name: string): string {
  return TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""] ?? "";
}

/** Whether the beginning of a plain file is that of something with text in it. Rejects with what the system says. */
export async function looksLikeText(path: string): Promise<boolean> {
  // What has been put in its place may be a pipe.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(KIND_BYTES), 0, KIND_BYTES, 0);
    return kindOf(typeOf(path), buffer.subarray(0, bytesRead)) !== undefined;
  } finally {
    await file.close();
  }
}
