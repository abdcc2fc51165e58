import { posix, win32 } from "node:path";
import type { Host } from "./io.js";

/*
 * How the text of a setting is read: without spaces around it, never an empty one. `undefined`: it cannot be read.
 */

/** Node turns a longer timer into one of 1 ms. */
export const LONGEST_TIMER_MS = 2_147_483_647;

export function integer(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
  };
}

export const DAY_MS = 86_400_000;
const wholeDays = integer(1, 3_650);

/** Days, in milliseconds. */
export function days(text: string): number | undefined {
  const count = wholeDays(text);
  return count === undefined ? undefined : count * DAY_MS;
}

/** Nothing that the CLI could take for an option. */
export const modelName = (text: string) => (/^[^\s-]\S*$/.test(text) ? text : undefined);
export const anyText = (text: string) => text;
export const trueOrFalse = (text: string) => ({ true: true, 1: true, false: false, 0: false })[text.toLowerCase()];
export const hostName = (text: string) => (/^[\w.:[\]-]+$/.test(text) ? text : undefined);
export const webUrl = (text: string) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined);

/** Some of these names, with commas between them; in this order, whatever theirs is. */
export function someOf(known: readonly string[]): (text: string) => string[] | undefined {
  return (text) => {
    const names = text.split(",").map((name) => name.trim());
    return names.every((name) => known.includes(name)) ? known.filter((name) => names.includes(name)) : undefined;
  };
}

/** As in PATH. */
export function folders(text: string, platform: NodeJS.Platform): string[] {
  return text
    .split(platform === "win32" ? win32.delimiter : posix.delimiter)
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
}

/** A path as it is meant on this machine: `~` is the home, and what is relative starts at `cwd`. */
export function absoluteOn({ platform, homeDir }: Host): (text: string, cwd: string) => string {
  const path = platform === "win32" ? win32 : posix;
  return (text, cwd) => path.resolve(cwd, /^~(?=$|[\\/])/.test(text) ? path.join(homeDir, text.slice(1)) : text);
}
