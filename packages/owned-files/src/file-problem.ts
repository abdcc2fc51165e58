const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a file stands where a folder should be",
  EISDIR: "this is a folder; the name of a file is expected",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "links lead in a circle",
  EBUSY: "another program uses it",
  EFBIG: "it is too large",
  EMFILE: "too many files are open on this machine",
  ENFILE: "too many files are open on this machine",
};

/** What is said otherwise of a file that was to be read. */
const READING: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  EINVAL: "it is a pipe or a device; a file is expected",
};

/** Says in words why a file cannot be read. */
export function readProblem(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  return READING[code] ?? fileProblem(error);
}

/** Says in words why a file cannot be written; for an unknown code, in the words of the system. */
export function fileProblem(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return PROBLEMS[code] ?? message;
}
