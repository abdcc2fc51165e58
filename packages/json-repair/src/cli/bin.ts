#!/usr/bin/env node
import { command, EXIT } from "./command.js";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads our output has read enough.
  if (error.code === "EPIPE") process.exit(EXIT.done);
  process.stderr.write(`json-repair: the output cannot be written (${error.code})\n`);
  process.exit(EXIT.wrongUse);
});
// What is told of the repairs may be read by nobody.
process.stderr.on("error", () => {});
process.exitCode = await command(process.argv.slice(2), process);
