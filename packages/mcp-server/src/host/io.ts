/** What the process gives, read once in `bin.ts` and passed inward. */
export interface Io {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  host: Host;
  /** What a person types to start this program again. */
  readonly command: string;
  /** This program's own file, when it was started from a checkout and not as an installed package. */
  readonly checkout?: string | undefined;
  /** Aborts on SIGINT, SIGTERM, SIGHUP and when the reader of stdout is gone. Its reason is the name of the cause. */
  signal: AbortSignal;
}

/** The machine, as far as a setting depends on it. */
export interface Host {
  platform: NodeJS.Platform;
  homeDir: string;
  /** Relative paths in the environment are relative to it. */
  cwd: string;
  pid: number;
}
