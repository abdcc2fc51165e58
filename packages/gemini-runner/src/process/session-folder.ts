import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { toPolicy } from "../cli/policy.js";
import { removeRecord } from "../cli/session-file.js";
import { type SettingsOptions, toSessionSettings } from "../cli/settings.js";
import { atTheEnd } from "./in-time.js";

export interface SessionFolderOptions extends SettingsOptions {
  /** Folders of the files that may be read. */
  folders: readonly string[];
}

/** The folder of one of several runs in a process, where the CLI finds what this run may do. */
export interface SessionFolder {
  cwd: string;
  /** Removes it, with what the CLI has recorded of the session. */
  remove(session: string | undefined): Promise<void>;
}

/** Makes the folder in `home`, which is that of the process. */
export async function createSessionFolder(
  home: string,
  name: string,
  { folders, ...settings }: SessionFolderOptions,
): Promise<SessionFolder> {
  const folder = path.join(home, "sessions", name);
  const cwd = path.join(folder, "cwd");
  const policyFile = path.join(folder, "policy.toml");
  await mkdir(path.join(cwd, ".gemini"), { recursive: true });
  await Promise.all([
    writeFile(policyFile, toPolicy(settings.grants)),
    writeFile(
      path.join(cwd, ".gemini", "settings.json"),
      JSON.stringify(toSessionSettings(settings, policyFile, folders)),
    ),
  ]);
  const removed = async (session: string | undefined) => {
    if (session !== undefined) await removeRecord(home, session);
    await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  };
  return {
    cwd,
    remove: (session) => atTheEnd(removed(session)),
  };
}
