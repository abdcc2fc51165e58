import os from "node:os";

/** The home of this user in the system's list. `undefined`: it has no entry there, as a container may be told to run. */
export function ownHome(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}
