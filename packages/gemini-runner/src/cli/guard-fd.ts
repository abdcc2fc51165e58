/** Where the guard's pipe is in the CLI's process: after stdin, stdout and stderr. */
export const GUARD_FD = 3;
