import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of one test: a home, and in it the server's config directory. */
export interface Place {
  home: string;
  configDir: string;
  /** What a host would give a server, and the real CLI. */
  env: Record<string, string>;
  remove(): void;
}

/** The real Gemini CLI's start file. */
const GEMINI = join(
  dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);

export function newPlace(): Place {
  const { PATH = "" } = process.env;
  const home = mkdtempSync(join(tmpdir(), "mcp-server-test-"));
  const configDir = join(home, "config");
  return {
    home,
    configDir,
    env: {
      HOME: home,
      PATH,
      GEMINI_SEARCH_CONFIG_DIR: configDir,
      GEMINI_CLI_PATH: GEMINI,
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** What is left of runs in a config directory; Node's compile cache (Node 22 and later) is meant to stay. */
export function runsLeftIn(configDir: string): string[] {
  return readdirSync(join(configDir, "runs")).filter((name) => !name.startsWith("gemini-compile-cache-"));
}

/** Command lines of living processes that run in `folder` or name it. Linux only; elsewhere none is seen. */
export function processesOf(folder: string): string[] {
  const found: string[] = [];
  if (process.platform !== "linux") return found;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder))
        found.push(`${pid} ${command}`);
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

/** A program named `gemini` that knows nothing of the CLI's flags: keeps its prompt in `prompt.txt`, prints `answer`. */
export function plainGemini(place: Pick<Place, "home">, answer: object): string {
  const path = join(place.home, "gemini");
  writeFileSync(join(place.home, "answer.txt"), `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`);
  writeFileSync(
    path,
    `#!/bin/sh\ncat > "${join(place.home, "prompt.txt")}"\nsleep 0.2\ncat "${join(place.home, "answer.txt")}"\n`,
    {
      mode: 0o755,
    },
  );
  return path;
}

/** A program named `gemini` that fails as it has been seen to. */
export function failingGemini(place: Pick<Place, "home">, exitCode: number, stderr: string): string {
  const path = join(place.home, "gemini");
  writeFileSync(path, `#!/bin/sh\ncat > /dev/null\necho '${stderr}' >&2\nexit ${exitCode}\n`, { mode: 0o755 });
  return path;
}

/** A program named `gemini` that never answers. */
export function hangingGemini(place: Place): string {
  const path = join(place.home, "gemini");
  writeFileSync(path, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  return path;
}
