import type { Io } from "./io.js";

export async function serveStdio(_io: Io): Promise<number> {
  throw new Error("not there yet");
}
