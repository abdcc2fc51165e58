import { parseArgs } from "node:util";

/**
 * The options on the command line of one of the programs here. `--help` shows what it says it takes, and so does a word
 * that it does not know, which ends it with exit code 2.
 *
 * @template {NonNullable<import("node:util").ParseArgsConfig["options"]>} T
 * @param {string} usage
 * @param {T} options
 */
export function commandLine(usage, options) {
  // As pnpm hands it on.
  const args = process.argv.slice(2).filter((word) => word !== "--");
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message, usage);
  }
}

/**
 * @param {string} reason
 * @param {string} usage
 * @returns {never}
 */
export function refuse(reason, usage) {
  process.stderr.write(`${reason}\n\n${usage}\n`);
  process.exit(2);
}
