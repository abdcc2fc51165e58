// The licences of everything that stands in the bundle, into dist/THIRD-PARTY-NOTICES.txt: their terms ask for it. What the
// bundler says of its work is no part of the package: it is kept beside, for the list of components of a release.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const metafile = join(root, "dist/metafile-esm.json");
const { outputs } = JSON.parse(readFileSync(metafile, "utf8"));
mkdirSync(join(root, ".turbo"), { recursive: true });
renameSync(metafile, join(root, ".turbo/metafile-esm.json"));

const folders = new Map();
for (const { inputs } of Object.values(outputs)) {
  for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
    const inPackage = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (inPackage === undefined || bytesInOutput === 0) continue;
    const { name, version, license } = JSON.parse(readFileSync(join(resolve(root, inPackage), "package.json"), "utf8"));
    folders.set(`${name} ${version}`, { folder: resolve(root, inPackage), license });
  }
}

/** The terms of packages that name a licence and bring no file of it. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;
const WITHOUT_FILE = { "boolbase 1.0.0": `Copyright Felix Boehm <me@feedic.com>\n\n${ISC}` };

/** Who holds the rights; the rest of a licence is the same for many. */
const COPYRIGHT = /^\s*(?:Copyright (?:\([cC]\)|©|\d{4})|\([cC]\) \d{4}|© \d{4})/;
const TITLE = /^\s*(?:the )?(?:mit|isc|bsd[ -]\d-clause)(?: license)?(?: \(mit\)| \(isc\))?\s*$/i;

/** By the words of their terms: packages with the lines that are theirs, and the terms as the first of them has them. */
const terms = new Map();
for (const [title, { folder, license }] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)/i.test(name));
  if (!file && !(title in WITHOUT_FILE)) {
    throw new Error(`${title} (${license}) has no licence file in ${dirname(folder)}: give its text here`);
  }
  const lines = (file ? readFileSync(join(folder, file), "utf8") : WITHOUT_FILE[title]).trim().split(/\r?\n/);
  const text = lines.filter((line) => !COPYRIGHT.test(line) && !TITLE.test(line)).join("\n");
  const own = lines.filter((line) => COPYRIGHT.test(line)).map((line) => line.trim());
  const key = text.replace(/\s+/g, " ").trim().toLowerCase();
  const known = terms.get(key) ?? { text: text.trim(), packages: [] };
  known.packages.push([`${title} (${license})`, ...own.map((line) => `  ${line}`)].join("\n"));
  terms.set(key, known);
}
const line = "-".repeat(80);
const head = "This package contains the following software, each with its copyright, under the terms that follow it.";
const notices = [...terms.values()].map(({ packages, text }) => `${line}\n${packages.join("\n")}\n\n${text}\n`);
writeFileSync(join(root, "dist/THIRD-PARTY-NOTICES.txt"), `${head}\n\n${notices.join("\n")}`);
