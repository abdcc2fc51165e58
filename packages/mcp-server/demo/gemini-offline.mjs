// The real Gemini CLI, with addresses for the hosts of the recorded pages: it looks each host up before it has a page
// read, and without a network none has an address. Nothing is contacted there; the recording says what the page says.
import dns from "node:dns";
import { readFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { HOSTS } from "./leap-seconds.mjs";

const ADDRESS = { address: "93.184.215.14", family: 4 };
const { lookup } = dns.promises;
dns.promises.lookup = async (host, options) =>
  HOSTS.includes(host) ? (options?.all ? [ADDRESS] : ADDRESS) : lookup(host, options);
syncBuiltinESMExports();

const manifest = createRequire(import.meta.url).resolve("@google/gemini-cli/package.json");
const entry = join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.gemini);
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
