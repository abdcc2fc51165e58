import os from "node:os";

/** The user's home in the system's list of users. `undefined`: the user has no entry, as can be in a container. */
export function ownHome(): string | undefined {
  try {
    return os.userInfo().homedir;
  } catch {
    return undefined;
  }
}
