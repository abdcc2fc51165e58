/** A program that makes a temporary file in the folder it is given, names it, and keeps it until it is ended. */
import { createTempFiles } from "../../src/node/index.js";

const [directory = ""] = process.argv.slice(2);
console.log(await createTempFiles({ directory }).write("a correction is reading this"));
process.stdin.resume();
