import type { Io } from "../../host/io.js";

/** What every command is made with. */
export interface CommandParts {
  io: Io;
  /** Takes the exit code of the command that ran. */
  exitWith: (code: number) => void;
}
