import { refuse } from "./command-line.mjs";

/**
 * The list of what one may be chosen from, and those whose names fit what stands after an option. None that fits is a
 * wrong command line: nothing that was checked must not look like all that was checked.
 *
 * @template T
 * @param {string} option as it is typed, such as `--only`
 * @param {string | undefined} expression all are chosen without one
 * @param {readonly T[]} all
 * @param {{ nameOf: (one: T) => string; usage: string }} how
 * @returns {readonly T[]}
 */
export function chosenBy(option, expression, all, { nameOf, usage }) {
  if (expression === undefined) return all;
  const names = [...new Set(all.map(nameOf))].map((name) => `  ${name}`).join("\n");
  const fits = pattern(expression);
  if (fits === undefined) return refuse(`${option} ${expression}: not a regular expression`, usage);
  const chosen = all.filter((one) => fits.test(nameOf(one)));
  if (chosen.length === 0) return refuse(`${option} ${expression}: nothing of this name. There are:\n${names}`, usage);
  return chosen;
}

/** @param {string} expression */
function pattern(expression) {
  try {
    return new RegExp(expression, "i");
  } catch {
    return undefined;
  }
}
