import type { Cli } from "../cli/find-cli.js";
import type { SignIn } from "../cli/sign-in.js";
import type { Farewell } from "./cli-process.js";

/** What a process that serves several runs is started with. */
export interface PoolProcessOptions {
  cli: Cli;
  signIn: SignIn;
  /** The directory of the folders of runs, which is there. */
  parent: string;
  /** What the CLI sees, but for what keeps it in its folder. */
  env: Readonly<Record<string, string>>;
  /** The user has no home. */
  homeless: boolean;
  /** How long the CLI may read pages by itself in one call of a tool, in milliseconds. */
  pagesMs: number;
  /** How much tools may give the model in one run, in UTF-16 units. */
  maxToolOutput: number;
  killAfterMs: number;
  farewell: Farewell;
  /** How much one run may say. */
  maxOutputBytes: number;
  /** How long it may not answer before it is taken for dead, in milliseconds. */
  hangMs: number;
  /** Fires when it is not wanted any more, also before it serves. */
  signal: AbortSignal;
}
