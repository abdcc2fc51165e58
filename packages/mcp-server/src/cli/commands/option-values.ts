import { InvalidArgumentError } from "commander";
import { durationMs } from "../../text/duration.js";

/** Reads a whole number of `min` to `max`. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} and more` : `from ${min} to ${max}`;
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) throw new InvalidArgumentError(`A whole number ${range} is expected.`);
    return number;
  };
}

/** Reads `a,b`, or the option several times. */
export function list(text: string, before: readonly string[] = []): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return [...before, ...parts.filter((part) => part !== "")];
}

/** Reads the option several times, each as it stands. */
export function severalTexts(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Reads a time with its unit, in milliseconds. */
export function duration(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms >= 1_000) return ms;
  if (ms !== undefined) throw new InvalidArgumentError("A time of 1s or more is expected.");
  const unit = /^\d+$/.test(text) ? ` ${text} of what? ` : " ";
  throw new InvalidArgumentError(`A time with its unit is expected.${unit}Write 90s, 10m or 1h30m.`);
}

/** Reads a date, or a time that has passed since, as milliseconds since 1970. */
export function moment(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return Date.now() - ms;
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) throw new InvalidArgumentError("Write 2d, 12h or a date such as 2026-11-01.");
  return date;
}

/** Reads `NAME=VALUE`, several times. */
export function variables(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new InvalidArgumentError("NAME=VALUE is expected.");
  return { ...before, [name]: text.slice(at + 1) };
}
