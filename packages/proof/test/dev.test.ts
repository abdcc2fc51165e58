import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const DEV = fileURLToPath(new URL("../../../scripts/dev.mjs", import.meta.url));

test.skipIf(process.platform === "win32")(
  "a program says that it installs and builds before that ends, and shows what went wrong there",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "dev-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // In the place of the package manager: it waits for a line, and fails.
    await writeFile(join(folder, "npx"), '#!/bin/sh\nread line\necho "no network: $line"\nexit 7\n');
    await chmod(join(folder, "npx"), 0o755);
    const { npm_config_user_agent: _, PATH, ...others } = process.env;
    const env = { ...others, PATH: `${folder}${delimiter}${PATH}` };
    const child = spawn(process.execPath, [DEV, "demo"], { env, stdio: ["pipe", "ignore", "pipe"] });
    const closed = once(child, "close");
    const [first] = await once(child.stderr.setEncoding("utf8"), "data");
    expect(first).toBe("Installing and building …\n");
    child.stdin.end("so be it\n");
    let rest = "";
    for await (const text of child.stderr) rest += text;
    expect(rest).toBe("no network: so be it\n");
    expect((await closed)[0]).toBe(7);
  },
);
