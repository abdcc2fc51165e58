/** What is kept of each owner. */
export interface KeepLimits {
  /** How long a record stays after it was last saved. */
  keepMs: number;
  /** Records of one owner. */
  most: number;
  /** Bytes of one owner's records. */
  mostBytes: number;
  /** So many of the last stay whatever the clock says: one that is wrong must not empty the folder. */
  always: number;
}

export const KEEP_LIMITS: KeepLimits = {
  keepMs: 7 * 24 * 3_600_000,
  most: 1_000,
  mostBytes: 500_000_000,
  always: 20,
};

export interface Kept {
  ageMs: number;
  bytes: number;
  owner: string;
}

/** Which records are kept no longer. @param files That of the last save first. */
export function tooMany<T extends Kept>(files: readonly T[], { keepMs, most, mostBytes, always }: KeepLimits): T[] {
  const owners = new Map<string, { count: number; bytes: number }>();
  return files.filter(({ owner, ageMs, bytes }) => {
    const kept = owners.get(owner) ?? { count: 0, bytes: 0 };
    const isOver = kept.count >= most || (kept.count > 0 && kept.bytes + bytes > mostBytes);
    if (isOver || (ageMs > keepMs && kept.count >= always)) return true;
    owners.set(owner, { count: kept.count + 1, bytes: kept.bytes + bytes });
    return false;
  });
}
