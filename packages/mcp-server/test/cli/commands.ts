import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { main } from "../../src/cli/main.js";
import { fakeIo } from "./fake-io.js";

export interface Commands {
  /** Of the running test. */
  readonly home: string;
  run(argv: string[], options?: Partial<Parameters<typeof fakeIo>[0]>): Promise<Ended>;
}

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** For every test of a file a home of its own, and commands that are run in it. */
export function inOwnHome(): Commands {
  let home = "";
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "command-")));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));
  return {
    get home() {
      return home;
    },
    async run(argv, options = {}) {
      const { io, out, err } = fakeIo({ home, ...options });
      const code = await main(argv, io);
      return { code, out: out(), err: err() };
    },
  };
}
