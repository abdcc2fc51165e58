import { spawnSync } from "node:child_process";
import { fstatSync, readSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { GUARD_FD } from "../guard-fd.js";
import type { SessionNote } from "../guard-notes.js";

/** The guard's end of the pipe. */
export interface Pipe {
  say(note: SessionNote): void;
  /** Ends the CLI and all that it has started, at once. */
  endGroup(): void;
}

/** Whether this process was given the pipe. What the CLI starts was not. */
export function holdsPipe(): boolean {
  try {
    const found = fstatSync(GUARD_FD);
    return found.isSocket() || found.isFIFO();
  } catch {
    return false;
  }
}

/**
 * Opens the pipe. When its other end is closed, the group is ended and `folder` removed. A CLI that ends at that moment
 * by itself, as for want of its input, removes `folder` too. What comes through it asks whether the process still works.
 */
export function openPipe(folder: string, onPing: () => void): Pipe {
  const socket = new Socket({ fd: GUARD_FD, readable: true, writable: true });
  socket
    .on("error", () => {})
    .on("close", () => {
      clean(folder);
      endGroup();
    });
  process.on("exit", () => {
    try {
      // Reading finds the end of the pipe, or fails.
      while (process.platform !== "win32") if (readSync(GUARD_FD, Buffer.alloc(64)) === 0) return clean(folder);
    } catch {
      // It is there.
    }
  });
  socket.on("data", onPing).unref();
  return { say: sayTo((text) => socket.write(text)), endGroup };
}

/** Says notes by `write`, one a line. */
export function sayTo(write: (text: string) => unknown): Pipe["say"] {
  return (note) => void write(`${JSON.stringify(note)}\n`);
}

function endGroup(): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(process.pid), "/T", "/F"], { windowsHide: true });
  } else {
    process.kill(0, "SIGKILL");
  }
}

const CLEAN_TRIES = 10;
const CLEAN_PAUSE_MS = 20;

function clean(folder: string): void {
  // What the CLI was about to write may come after the look at a folder: then it is not empty, and another look helps.
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < CLEAN_TRIES; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      Atomics.wait(pause, 0, 0, CLEAN_PAUSE_MS);
    }
  }
}
