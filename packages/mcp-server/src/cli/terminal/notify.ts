import { spawn } from "node:child_process";
import type { Io } from "../../host/io.js";
import { shortLine } from "../../text/plain-text.js";

/** Of the question in a notification. */
const LONGEST = 80;

/** Tells a person who looks elsewhere that a research has ended: a bell, and a notification where there can be one. */
export function notify(
  what: string,
  question: string,
  { stderr, env, host }: Pick<Io, "stderr" | "env" | "host">,
): void {
  const text = shortLine(question, LONGEST);
  // OSC 9: terminals that know no notifications show nothing of it.
  if (stderr.isTTY) stderr.write(`\u0007\u001b]9;${what}: ${text}\u001b\\`);
  const [command, ...args] = notifier(host.platform, what, text);
  if (command === undefined) return;
  const shown = spawn(command, args, { cwd: host.homeDir, env: { ...env }, stdio: "ignore", detached: true });
  // Nobody misses it where there is none.
  shown.once("error", () => {});
  shown.unref();
}

/** The program that shows a text; the text is an argument of it and never a part of a script. */
function notifier(platform: NodeJS.Platform, title: string, text: string): string[] {
  switch (platform) {
    case "linux":
      return ["notify-send", "--app-name=x-research", "--", title, text];
    case "darwin":
      return [
        "osascript",
        ...[
          "-e",
          "on run argv",
          "-e",
          "display notification (item 2 of argv) with title (item 1 of argv)",
          "-e",
          "end run",
        ],
        ...[title, text],
      ];
    default:
      return [];
  }
}
