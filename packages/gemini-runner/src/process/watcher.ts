import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Waits for a line, which says that all is well. When its input ends without one, the program that was to say so is gone:
 * then the group is ended and the folder removed.
 */
const SCRIPT = 'read -r line && exit 0; kill -KILL "-$1" 2>/dev/null; rm -rf -- "$2"';

/** A process that watches over a run. */
export interface Watcher {
  pid: number | undefined;
  /** Sends it away. Resolves when it is gone. */
  dismiss(): Promise<void>;
}

/** Nobody watches, or the guard does. */
export const NONE: Watcher = { pid: undefined, dismiss: async () => {} };

/**
 * Starts a process that ends a group and removes a folder when ours is gone, however it went. For a CLI that is not
 * JavaScript, and so has no guard of ours in it. There is none on Windows, nor where there is no shell.
 */
export function watchGroup(group: number, folder: string): Watcher {
  if (process.platform === "win32") return NONE;
  const watcher = spawn("/bin/sh", ["-c", SCRIPT, "sh", String(group), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
  });
  const gone = new Promise<void>((resolve) => {
    watcher.once("exit", () => resolve()).once("error", () => resolve());
  });
  watcher.stdin.on("error", () => {});
  watcher.unref();
  (watcher.stdin as Socket).unref();
  return {
    pid: watcher.pid,
    dismiss() {
      // It is waited for: our program is not to end before it.
      watcher.ref();
      watcher.stdin.end("done\n");
      return gone;
    },
  };
}
