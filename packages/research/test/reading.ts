import { createHash } from "node:crypto";
import type { RunRequest } from "@x/gemini-runner";
import type { PageRecord, Pages } from "../src/index.js";
import { recorded, type Turn } from "./world.js";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

function recordOf(url: string, text: string): PageRecord {
  return {
    url,
    final_url: url,
    sha256: hashOf(`bytes of ${text}`),
    bytes: text.length,
    content_type: "text/html",
    fetched_at: "2026-11-20T12:00:00.000Z",
    text_sha256: hashOf(text),
    title: `About ${new URL(url).hostname}`,
  };
}

/** Pages that runs read by {@link reading}. */
export function library() {
  const readBy = new Map<string, [url: string, text: string][]>();
  let runs = 0;
  const pages: Pages = {
    open: async () => ({
      async access() {
        const endpoint = { url: `http://127.0.0.1:1/${++runs}` };
        return {
          mcpServers: { pages: { ...endpoint, includeTools: ["read_page"] } },
          spend() {},
          reads: async () => ({
            pages: (readBy.get(endpoint.url) ?? []).map(([url, text]) => ({
              page: recordOf(url, text),
              text,
              shown: [[0, text.length]],
            })),
            failures: [],
          }),
          close() {},
        };
      },
      close() {},
    }),
  };
  /** A run that reads some pages and answers. */
  const reading =
    (texts: Record<string, string>, answer: string): Turn =>
    (request: RunRequest) => {
      const { pages: tool } = request.mcpServers ?? {};
      if (tool !== undefined && "url" in tool) readBy.set(tool.url, Object.entries(texts));
      return recorded(answer);
    };
  return { pages, reading };
}
