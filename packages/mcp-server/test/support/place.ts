import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
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
export const GEMINI = join(
  dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);

const PROMPT = "prompt.";

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

/**
 * A program named `gemini` that knows nothing of the CLI's flags: it keeps its prompt for {@link promptsOf} and goes on
 * with `script`, in which the file `$prompt` holds the prompt.
 */
export function scriptGemini({ home }: Pick<Place, "home">, script: string): string {
  const path = join(home, "gemini");
  const keep = `prompt="${join(home, PROMPT)}$$"\ncat > "$prompt"\n`;
  writeFileSync(path, `#!/bin/sh\n${keep}${script}\n`, { mode: 0o755 });
  return path;
}

/** The line of a script that prints this as a model does. */
export function printing({ home }: Pick<Place, "home">, answer: object): string {
  const text = `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`;
  const file = join(home, `answer-${createHash("sha256").update(text).digest("hex").slice(0, 10)}.txt`);
  writeFileSync(file, text);
  return `cat "${file}"`;
}

/** A program named `gemini` that prints `answer` whatever it is asked. */
export function plainGemini(place: Pick<Place, "home">, answer: object): string {
  return scriptGemini(place, `sleep 0.2\n${printing(place, answer)}`);
}

/** The prompts that programs of {@link scriptGemini} were given, in order. One that was only started ahead had none. */
export function promptsOf({ home }: Pick<Place, "home">): string[] {
  return readdirSync(home)
    .filter((name) => name.startsWith(PROMPT))
    .map((name) => join(home, name))
    .map((path) => ({ at: statSync(path).mtimeMs, prompt: readFileSync(path, "utf8") }))
    .filter(({ prompt }) => prompt.includes("\n"))
    .sort((a, b) => a.at - b.at)
    .map(({ prompt }) => prompt);
}

/** A program named `gemini` that fails as it has been seen to. */
export function failingGemini(place: Pick<Place, "home">, exitCode: number, stderr: string): string {
  const path = join(place.home, "gemini");
  writeFileSync(path, `#!/bin/sh\ncat > /dev/null\necho '${stderr}' >&2\nexit ${exitCode}\n`, { mode: 0o755 });
  return path;
}

/** A program named `gemini` that never answers. */
export function hangingGemini({ home }: Pick<Place, "home">): string {
  const path = join(home, "gemini");
  writeFileSync(path, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  return path;
}
