import { toRecord, toText } from "./loose.js";

/** Where the guard's pipe is in the CLI's process: after stdin, stdout and stderr. */
export const GUARD_FD = 3;

/** What the guard says of a failed request to the API. */
export interface ApiFailure {
  /** `/v1beta/models/gemini-2.5-flash:generateContent` */
  path: string;
  /** What the API answered. */
  status?: number;
  /** Why there was no answer: `ECONNREFUSED` … */
  code?: string;
  /** The CLI repeated the request without a pause and was ended for it. */
  runaway?: boolean;
}

/**
 * How many 429 answers for one model within {@link RUNAWAY_WINDOW_MS} are no honest retry, which waits seconds, nor
 * searches made together. The runaway makes some thousand requests in that time.
 */
const RUNAWAY_ANSWERS = 20;
const RUNAWAY_WINDOW_MS = 2_000;

/**
 * The text of a module that Node loads into the CLI's own process before the CLI. It costs no process of its own, and
 * - ends the CLI with its whole group, and removes `folder`, at once when the process that holds the other end of the
 *   pipe is gone, however it went: a CLI that lives on spends quota;
 * - tells over the pipe which requests to the API failed, which the CLI itself does not say;
 * - ends the CLI when it repeats a refused request without a pause, which it does for ever when the daily quota of a
 *   search is used up.
 */
export function guardSource(folder: string): string {
  return `"use strict";
const { isMainThread } = require("node:worker_threads");
const { fstatSync, rmSync } = require("node:fs");
const guarded = () => {
  try {
    const found = fstatSync(${GUARD_FD});
    return found.isSocket() || found.isFIFO();
  } catch {
    return false;
  }
};
if (isMainThread && guarded()) {
  delete process.env.NODE_OPTIONS;
  const end = () => {
    if (process.platform === "win32") {
      require("node:child_process").spawnSync("taskkill", ["/pid", String(process.pid), "/T", "/F"], { windowsHide: true });
    } else {
      process.kill(0, "SIGKILL");
    }
  };
  const { Socket } = require("node:net");
  const pipe = new Socket({ fd: ${GUARD_FD}, readable: true, writable: true });
  pipe.on("error", () => {}).on("close", () => {
    try {
      rmSync(${JSON.stringify(folder)}, { recursive: true, force: true });
    } finally {
      end();
    }
  });
  pipe.resume().unref();
  const say = (failure) => pipe.write(JSON.stringify(failure) + "\\n");
  const refused = new Map();
  const answered = (path, status) => {
    if (status < 400) return void refused.delete(path);
    say({ path, status });
    if (status !== 429) return;
    const now = Date.now();
    const times = [...(refused.get(path) ?? []), now].filter((time) => time > now - ${RUNAWAY_WINDOW_MS});
    refused.set(path, times);
    if (times.length < ${RUNAWAY_ANSWERS}) return;
    say({ path, status, runaway: true });
    end();
  };
  // The API is called through fetch with a key and, depending on the version, through http with a login. Pages that
  // the CLI reads by itself are no concern of ours.
  const { subscribe } = require("node:diagnostics_channel");
  const hear = (channel, tell) => {
    subscribe(channel, ({ request, response, error }) => {
      const path = String(request.path).split("?")[0];
      if (/\\/(?:models\\/[^/]+|v1internal):\\w+$/.test(path)) tell(path, response ?? error ?? {});
    });
  };
  for (const channel of ["undici:request:headers", "http.client.response.finish"]) {
    hear(channel, (path, { statusCode }) => answered(path, statusCode));
  }
  for (const channel of ["undici:request:error", "http.client.request.error"]) {
    hear(channel, (path, { code, name }) => say({ path, code: code ?? name ?? "unknown" }));
  }
}
`;
}

/** Reads one line of what the guard says. */
export function parseFailure(line: string): ApiFailure | undefined {
  try {
    const { path, status, code, runaway } = toRecord(JSON.parse(line));
    return {
      path: toText(path) ?? "",
      ...(typeof status === "number" ? { status } : {}),
      ...(typeof code === "string" ? { code } : {}),
      ...(runaway === true ? { runaway } : {}),
    };
  } catch {
    return undefined;
  }
}
