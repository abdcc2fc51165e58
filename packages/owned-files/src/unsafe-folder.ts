import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, parse } from "node:path";

/** The user that a file seems to belong to whose owner has no place in the user namespace of this process. */
const NOBODY = 65_534;
/** What a process says of its users that is in no namespace of its own. */
const ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;

const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Says why what lies in a folder may be changed by somebody else. `undefined`: nothing speaks against it. The folder has to
 * be there. What counts is the folder itself and every one above it: who may rename one of them may put another in its place.
 * Root may do anything, so a folder of root's is as safe as one's own. On Windows nothing is said.
 */
export async function unsafeFolder(folder: string): Promise<string | undefined> {
  const user = process.geteuid?.();
  const group = process.getegid?.();
  if (user === undefined) return undefined;
  const real = await realpath(folder);
  const trusted = new Set([user, 0, ...((await seesAllUsers()) ? [] : [NOBODY])]);
  const { root } = parse(real);
  for (let each = real; ; each = dirname(each)) {
    const { uid, gid, mode } = await lstat(each);
    if (!trusted.has(uid)) return `${each} belongs to another user (${uid})`;
    // In a folder like /tmp others make files of their own, and cannot touch those that are there.
    const sticky = (mode & STICKY) !== 0;
    if ((mode & OTHERS_WRITE) !== 0 && !sticky) return `everybody may write to ${each}`;
    if ((mode & GROUP_WRITES) !== 0 && !sticky && gid !== group && gid !== 0) {
      return `a group (${gid}) may write to ${each}`;
    }
    if (each === root) return undefined;
  }
}

/** In a sandbox root's files may seem to be nobody's. */
async function seesAllUsers(): Promise<boolean> {
  const map = await readFile("/proc/self/uid_map", "utf8").catch(() => undefined);
  return map === undefined || ALL_USERS.test(map);
}
