/** A thread that makes the text of pages: what a hostile page costs is its own. */
import { parentPort } from "node:worker_threads";
import { UnreadablePageError } from "./text/page-bytes.js";
import { makePageText } from "./text/page-text.js";
import type { Asked, Made } from "./text-maker.js";

parentPort?.on("message", async (asked: Asked) => {
  if (asked === "leave") return parentPort?.close();
  const { id, page } = asked;
  const made: Made = await makePageText(page).then(
    (text) => ({ id, text }),
    (error: unknown) => ({
      id,
      message:
        error instanceof UnreadablePageError ? error.message : `cannot be read as text: ${String(error).slice(0, 200)}`,
    }),
  );
  parentPort?.postMessage(made);
});
