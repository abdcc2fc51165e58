import type { Style } from "./layout.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Programs that say their name in `TERM_PROGRAM` and know links (OSC 8). */
const PROGRAMS: readonly string[] = [
  "iTerm.app",
  "WezTerm",
  "vscode",
  "ghostty",
  "Hyper",
  "Tabby",
  "rio",
  "WarpTerminal",
];
/** The same for `TERM`. */
const TERMS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/;
/** The first libvte that knows links. */
const MIN_VTE = 5_000;

/** Whether this terminal makes text clickable. `FORCE_HYPERLINK` (`1`, `0`) has the last word. */
export function knowsHyperlinks({ isTTY }: { isTTY?: boolean }, env: Env): boolean {
  const { FORCE_HYPERLINK, TERM = "", TERM_PROGRAM = "", VTE_VERSION, WT_SESSION, KONSOLE_VERSION, CI } = env;
  if (FORCE_HYPERLINK) return FORCE_HYPERLINK !== "0";
  if (isTTY !== true || TERM === "dumb" || CI) return false;
  // tmux and screen pass links on only if they were told to.
  if (TERM.startsWith("screen") || TERM.startsWith("tmux")) return false;
  if (PROGRAMS.includes(TERM_PROGRAM) || TERMS.test(TERM)) return true;
  return Boolean(WT_SESSION || KONSOLE_VERSION) || Number(VTE_VERSION) >= MIN_VTE;
}

/** Makes text lead to an address of the web; one that a terminal could misread is left out. */
export function hyperlink(url: string): Style {
  // Printable ASCII alone, as `URL` writes it: nothing in it can end the sequence.
  return /^https?:\/\/[!-~]+$/.test(url)
    ? (text) => `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`
    : (text) => text;
}
