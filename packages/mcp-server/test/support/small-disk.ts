import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { BIN } from "./stdio-server.js";

/** What a program gave. */
interface Ended {
  /** Exit code. */
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the built program where a folder is a file system of its own, which is gone afterwards. `undefined`: this user may not
 * make one here.
 *
 * @param options Of the mount: `size=16k`, `ro`.
 */
export async function onOwnDisk(
  folder: string,
  options: string,
  argv: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Ended | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mount = `mount -t tmpfs -o mode=700,${options} tmpfs "$0" || exit 77; exec "$@"`;
  const run = promisify(execFile)("unshare", ["-rm", "sh", "-c", mount, folder, process.execPath, BIN, ...argv], {
    env,
  });
  const ended = await run.then(
    (given) => ({ ...given, code: 0 }),
    (error: Omit<Ended, "code"> & { code: number | "ENOENT" }) => error,
  );
  return ended.code === "ENOENT" || ended.code === 77 ? undefined : (ended as Ended);
}
