import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, parse } from "node:path";

/** The user that a file seems to belong to whose owner has no place in the user namespace of this process. */
const NOBODY = 65_534;
/** What a process says of its users that is in no namespace of its own. */
const ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;

const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/** Why what lies in a folder may be changed by somebody else. */
export interface FolderRisk {
  /** Absolute: the folder itself or one above it. */
  folder: string;
  /** In words, with the folder. */
  why: string;
  /** This user can take the others' right to write away. */
  mendable: boolean;
}

/** The first of {@link folderRisks} in words. `undefined`: there is none. */
export async function unsafeFolder(folder: string): Promise<string | undefined> {
  return (await folderRisks(folder))[0]?.why;
}

/**
 * Says why what lies in a folder may be changed by somebody else, the nearest reason first. Empty: nothing speaks against
 * it. The folder has to be there. What counts is the folder itself and every one above it: who may rename one of them may
 * put another in its place. Root may do anything, so a folder of root's is as safe as one's own. On Windows nothing is said.
 */
export async function folderRisks(folder: string): Promise<FolderRisk[]> {
  const user = process.geteuid?.();
  const group = process.getegid?.();
  if (user === undefined) return [];
  const real = await realpath(folder);
  const trusted = new Set([user, 0, ...((await seesAllUsers()) ? [] : [NOBODY])]);
  const { root } = parse(real);
  const risks: FolderRisk[] = [];
  for (let each = real; ; each = dirname(each)) {
    const { uid, gid, mode } = await lstat(each);
    const mendable = trusted.has(uid) && (user === 0 || uid === user);
    // In a folder like /tmp others make files of their own, and cannot touch those that are there.
    const sticky = (mode & STICKY) !== 0;
    if (!trusted.has(uid)) risks.push({ folder: each, why: `${each} belongs to another user (${uid})`, mendable });
    else if ((mode & OTHERS_WRITE) !== 0 && !sticky)
      risks.push({ folder: each, why: `everybody may write to ${each}`, mendable });
    else if ((mode & GROUP_WRITES) !== 0 && !sticky && gid !== group && gid !== 0)
      risks.push({ folder: each, why: `a group (${gid}) may write to ${each}`, mendable });
    if (each === root) return risks;
  }
}

/** In a sandbox root's files may seem to be nobody's. */
async function seesAllUsers(): Promise<boolean> {
  const map = await readFile("/proc/self/uid_map", "utf8").catch(() => undefined);
  return map === undefined || ALL_USERS.test(map);
}
