import { toRecord, toText } from "./stream-json.js";

/** Where the guard's pipe is in the CLI's process: after stdin, stdout and stderr. */
export const GUARD_FD = 3;

/** What the guard says of a failed request to the API. */
export interface ApiFailure {
  status?: number;
  code?: string;
  path: string;
}

/** How many 429 answers for one model within {@link RUNAWAY_WINDOW_MS} are no longer an honest retry. */
const RUNAWAY_ANSWERS = 5;
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
  const { subscribe } = require("node:diagnostics_channel");
  const refused = new Map();
  const pathOf = (request) => String(request.path).split("?")[0];
  subscribe("undici:request:headers", ({ request, response }) => {
    const status = response.statusCode;
    const path = pathOf(request);
    if (status < 400) return void refused.delete(path);
    pipe.write(JSON.stringify({ status, path }) + "\\n");
    if (status !== 429) return;
    const since = Date.now() - ${RUNAWAY_WINDOW_MS};
    const times = (refused.get(path) ?? []).filter((time) => time > since);
    times.push(Date.now());
    refused.set(path, times);
    if (times.length >= ${RUNAWAY_ANSWERS}) end();
  });
  subscribe("undici:request:error", ({ request, error }) => {
    const code = error?.code ?? error?.name ?? "error";
    pipe.write(JSON.stringify({ code, path: pathOf(request) }) + "\\n");
  });
}
`;
}

/** Reads one line of what the guard says. */
export function parseFailure(line: string): ApiFailure | undefined {
  try {
    const { status, code, path } = toRecord(JSON.parse(line));
    return {
      path: toText(path) ?? "",
      ...(typeof status === "number" ? { status } : {}),
      ...(typeof code === "string" ? { code } : {}),
    };
  } catch {
    return undefined;
  }
}
