import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";

/**
 * Hears which groups have begun and ended. When its input ends, the program that told is gone, however it went: then the groups
 * are ended, and what has left them, which on Linux a variable of its environment tells: its value begins as the paths of our
 * folders do, that are removed in the end. Whoever does not need it any more kills it.
 *
 * A `grep` that reads on behind a NUL finds those in question at once; with another one each process is looked at.
 */
const SCRIPT = `trap '' INT TERM HUP
groups=
while read -r change group; do
  case $change in
    begun) groups="$groups $group" ;;
    ended) rest=; for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done; groups=$rest ;;
  esac
done
for each in $groups; do kill -KILL "-$each"; done
list() {
  if printf 'a\\0b' | grep -qF b; then grep -slF -- "$2=$1" /proc/[0-9]*/environ; else echo /proc/[0-9]*/environ; fi
}
is_ours() {
  tr '\\0' '\\n' <"$3" | (while IFS= read -r line; do case $line in "$2=$1"*) exit 0 ;; esac; done; exit 1)
}
for round in 1 2 3 4 5; do
  found=
  for file in $(list "$1" "$2"); do
    [ -r "$file" ] && is_ours "$1" "$2" "$file" || continue
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" && found=yes
  done
  [ -n "$found" ] || break
  sleep 0.05 || sleep 1
done
for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$1"* && break; sleep 0.2 || sleep 1; done`;

/** A process that watches over the folders of this program, and what runs in them, as long as somebody has one. */
export class Watcher {
  static readonly #all = new Map<string, Watcher>();
  /** How the path of every folder begins that it watches over. */
  readonly beginning: string;
  readonly #child: ChildProcess | undefined;
  readonly #gone: Promise<void>;
  #holders = 0;

  /**
   * The one for folders that begin so. It is there before any of them: whoever is killed at any moment leaves none.
   *
   * @param variable Says to all that runs in such a folder which one it is.
   */
  static hold(beginning: string, variable: string): Watcher {
    const watcher = Watcher.#all.get(beginning) ?? new Watcher(beginning, variable);
    Watcher.#all.set(beginning, watcher);
    watcher.#holders++;
    return watcher;
  }

  private constructor(beginning: string, variable: string) {
    // Another thread of this program, or another copy of this module, has folders of its own.
    this.beginning = `${beginning}${randomBytes(4).toString("hex")}-`;
    this.#child = start(this.beginning, variable);
    this.#gone = new Promise((resolve) => {
      if (this.#child === undefined) resolve();
      this.#child?.once("exit", () => resolve()).once("error", () => resolve());
    });
    // Where somebody has killed it, the next run has another.
    void this.#gone.then(() => this.#forget());
  }

  #forget(): void {
    for (const [beginning, watcher] of Watcher.#all) if (watcher === this) Watcher.#all.delete(beginning);
  }

  /** Undefined: there is none on Windows, nor where there is no shell. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** A group of processes is to end with this program. */
  begun(group: number): void {
    this.#child?.stdin?.write(`begun ${group}\n`);
  }

  ended(group: number): void {
    this.#child?.stdin?.write(`ended ${group}\n`);
  }

  /** Sends it away when nobody else needs it. Resolves when it is gone. */
  async leave(): Promise<void> {
    if (--this.#holders > 0) return;
    this.#forget();
    // It is waited for: our program is not to end before it.
    this.#child?.ref();
    this.#child?.kill("SIGKILL");
    await this.#gone;
    this.#child?.stdin?.destroy();
  }
}

function start(beginning: string, variable: string): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", beginning, variable], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: {},
  });
  child.on("error", () => {}).unref();
  child.stdin?.on("error", () => {});
  (child.stdin as Socket | null)?.unref();
  return child;
}
