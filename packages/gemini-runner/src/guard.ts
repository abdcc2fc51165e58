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
 * How many requests in a row, each made within {@link NO_PAUSE_MS} after one like it was answered with 429, are no honest
 * retry, which waits seconds, nor searches made together. However slow the API answers, the runaway makes no pause.
 */
const RUNAWAY_REQUESTS = 10;
const NO_PAUSE_MS = 100;

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
    // What the CLI was about to write may come after the look at a folder: then it is not empty, and another look helps.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < 10; tries++) {
      try {
        rmSync(${JSON.stringify(folder)}, { recursive: true, force: true });
        break;
      } catch {
        Atomics.wait(pause, 0, 0, 20);
      }
    }
    end();
  });
  pipe.resume().unref();
  const say = (failure) => pipe.write(JSON.stringify(failure) + "\\n");
  const refused = new Map();
  const asked = (path) => {
    const last = refused.get(path);
    if (last === undefined || performance.now() - last.at > ${NO_PAUSE_MS}) return;
    if (++last.inARow < ${RUNAWAY_REQUESTS}) return;
    say({ path, status: 429, runaway: true });
    end();
  };
  const answered = (path, status) => {
    if (status >= 400) say({ path, status });
    if (status === 429) refused.set(path, { inARow: refused.get(path)?.inARow ?? 0, at: performance.now() });
    else refused.delete(path);
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
  for (const channel of ["undici:request:create", "http.client.request.start"]) hear(channel, asked);
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
