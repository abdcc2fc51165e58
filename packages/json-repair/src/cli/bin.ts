#!/usr/bin/env node
import { command } from "./command.js";

// Whoever reads our output may have read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await command(process.argv.slice(2), process);
