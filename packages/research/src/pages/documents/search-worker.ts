/** A thread that searches documents: what a large collection takes in time and memory is its own. */
import { parentPort } from "node:worker_threads";
import type { Asked } from "./document-search.js";
import { WordSearch } from "./word-search.js";

const search = new WordSearch();

parentPort?.on("message", ({ id, what }: { id: number; what: Asked }) => {
  const hits = what.type === "search" ? search.search(what.words) : [];
  if (what.type === "add") search.add(what.document, what.name, what.text);
  parentPort?.postMessage({ id, hits });
});
