import { toCount, toList, toRecord, toText } from "../parse-record.js";

/** Where the guard's pipe is in the CLI's process: after stdin, stdout and stderr. */
export const GUARD_FD = 3;

/** What the guard says. */
export type GuardNote =
  | { type: "failure"; failure: ApiFailure }
  /** The model is asked for a turn of the run. */
  | { type: "turn" }
  /** The turn has ended. */
  | { type: "turn-end"; turn: ModelTurn }
  /** What Google says of a search or of a page read. */
  | { type: "looked-up"; grounds: string[]; pages: { url: string; read: boolean }[] };

/** One turn of the model. Its words stand in the CLI's output, among them those of turns that broke off. */
export interface ModelTurn {
  /** How many UTF-16 units its words have. */
  length: number;
  /** SHA-256 of them in UTF-16LE, hexadecimal. */
  hash: string;
  /** Why the model stopped: `STOP`, `MAX_TOKENS` … */
  finishReason: string;
}

/** A failed request to the API. */
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
 *   pipe is gone, however it went: a CLI that lives on spends quota. A CLI that ends at that moment by itself, as for want
 *   of its input, removes `folder` too;
 * - tells over the pipe what the CLI itself does not say: which requests to the API failed, why the model ended its turn,
 *   which pages Google could not read and which sources a search has. It hears the replies where the CLI parses them, the
 *   one place that they pass whole and decoded by every way of signing in; no word of them is kept or sent on, so that no
 *   file holds them and the pipe never fills up;
 * - ends the CLI when it repeats a refused request without a pause, which it does for ever when the daily quota of a
 *   search is used up.
 */
export function guardSource(folder: string): string {
  return `"use strict";
const { isMainThread } = require("node:worker_threads");
const { fstatSync, readSync, rmSync } = require("node:fs");
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
  const clean = () => {
    // What the CLI was about to write may come after the look at a folder: then it is not empty, and another look helps.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let tries = 0; tries < 10; tries++) {
      try {
        return rmSync(${JSON.stringify(folder)}, { recursive: true, force: true });
      } catch {
        Atomics.wait(pause, 0, 0, 20);
      }
    }
  };
  pipe.on("error", () => {}).on("close", () => {
    clean();
    end();
  });
  process.on("exit", () => {
    try {
      // The other end says nothing: reading finds the end of the pipe, or fails.
      if (process.platform !== "win32" && readSync(${GUARD_FD}, Buffer.alloc(1)) === 0) clean();
    } catch {
      // It is there.
    }
  });
  pipe.resume().unref();
  const say = (note) => pipe.write(JSON.stringify(note) + "\\n");
  const fail = (failure) => say({ type: "failure", failure });
  const { createHash } = require("node:crypto");
  const refused = new Map();
  let turn;
  const asked = (path) => {
    if (path.endsWith(":streamGenerateContent")) {
      turn = { length: 0, hash: createHash("sha256") };
      say({ type: "turn" });
    }
    const last = refused.get(path);
    if (last === undefined || performance.now() - last.at > ${NO_PAUSE_MS}) return;
    if (++last.inARow < ${RUNAWAY_REQUESTS}) return;
    fail({ path, status: 429, runaway: true });
    end();
  };
  const answered = (path, status) => {
    if (status >= 400) fail({ path, status });
    if (status === 429) refused.set(path, { inARow: refused.get(path)?.inARow ?? 0, at: performance.now() });
    else refused.delete(path);
  };
  const replied = ({ content, finishReason, groundingMetadata, urlContextMetadata }) => {
    if (groundingMetadata || urlContextMetadata) {
      const grounds = (groundingMetadata?.groundingChunks ?? []).map(({ web }) => web?.uri);
      const pages = (urlContextMetadata?.urlMetadata ?? []).map(({ retrievedUrl, urlRetrievalStatus }) => {
        return { url: retrievedUrl, read: urlRetrievalStatus?.endsWith("SUCCESS") ?? true };
      });
      say({ type: "looked-up", grounds, pages });
    }
    if (turn === undefined) return;
    for (const { text, thought } of content?.parts ?? []) {
      if (typeof text !== "string" || thought === true) continue;
      turn.length += text.length;
      turn.hash.update(text, "utf16le");
    }
    if (typeof finishReason !== "string") return;
    say({ type: "turn-end", turn: { length: turn.length, hash: turn.hash.digest("hex"), finishReason } });
    // What comes before the next turn are replies to searches and page reads.
    turn = undefined;
  };
  const { parse } = JSON;
  JSON.parse = function () {
    const value = parse.apply(this, arguments);
    try {
      // Code Assist wraps a reply.
      const candidates = value?.candidates ?? value?.response?.candidates;
      if (candidates) replied(candidates[0]);
    } catch {
      // Not in the form that the API gives it.
    }
    return value;
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
    hear(channel, (path, { code, name }) => fail({ path, code: code ?? name ?? "unknown" }));
  }
}
`;
}

/** Reads one line of what the guard says. */
export function parseNote(line: string): GuardNote | undefined {
  let note: Record<string, unknown>;
  try {
    note = toRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
  switch (note["type"]) {
    case "failure":
      return { type: "failure", failure: toFailure(toRecord(note["failure"])) };
    case "turn":
      return { type: "turn" };
    case "turn-end": {
      const { length, hash, finishReason } = toRecord(note["turn"]);
      const turn = { length: toCount(length), hash: toText(hash) ?? "", finishReason: toText(finishReason) ?? "" };
      return { type: "turn-end", turn };
    }
    case "looked-up": {
      const grounds = toList(note["grounds"]).filter((url) => typeof url === "string");
      const pages = toList(note["pages"]).map((page) => {
        const { url, read } = toRecord(page);
        return { url: toText(url) ?? "", read: read === true };
      });
      return { type: "looked-up", grounds, pages };
    }
    default:
      return undefined;
  }
}

function toFailure({ path, status, code, runaway }: Record<string, unknown>): ApiFailure {
  return {
    path: toText(path) ?? "",
    ...(typeof status === "number" ? { status } : {}),
    ...(typeof code === "string" ? { code } : {}),
    ...(runaway === true ? { runaway } : {}),
  };
}
