import { spawn } from "node:child_process";
import type { Io } from "./io.js";

/** A browser that takes longer to say whether it started is there. */
const STARTED_MS = 3_000;

/** Opens an address or a file in the person's browser. `false`: there is none that can be started. */
export function openInBrowser(target: string, { env, host }: Pick<Io, "env" | "host">): Promise<boolean> {
  const [command, ...args] = browserCommand(env, host.platform);
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const browser = spawn(command, [...args, target], {
      cwd: host.homeDir,
      env: { ...env },
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    const started = setTimeout(() => resolve(true), STARTED_MS);
    browser.once("error", () => {
      clearTimeout(started);
      resolve(false);
    });
    browser.once("exit", (code) => {
      clearTimeout(started);
      resolve(code === 0);
    });
    browser.unref();
  });
}

/** The program and what stands before the address. `BROWSER` has the first word. */
function browserCommand({ BROWSER, DISPLAY, WAYLAND_DISPLAY }: Io["env"], platform: NodeJS.Platform): string[] {
  // Several may be given, and one may say where the address goes; a program alone is what nearly everybody has.
  if (BROWSER !== undefined && !/[:%\s]/.test(BROWSER)) return [BROWSER];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (platform === "darwin") return ["open"];
  // Without a screen it would start a browser of the terminal, or wait for one.
  return DISPLAY || WAYLAND_DISPLAY ? ["xdg-open"] : [];
}
