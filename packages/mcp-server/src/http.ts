import type { Io } from "./io.js";

export async function serveHttp(_argv: string[], _io: Io): Promise<number> {
  throw new Error("not there yet");
}
