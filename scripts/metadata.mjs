// What every package's manifest says of the project, written from the one at the top: licence, author, repository, its
// page and its issues; and the name that the MCP registry compares with the account which publishes there.
//   metadata.mjs            writes the manifests of the published packages
//   metadata.mjs --check    exit 1 when one of them is stale
//   metadata.mjs --release  exit 1 while the repository's owner is still the placeholder
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const PLACEHOLDER = "OWNER";
const root = new URL("../", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

const { license, author, repository, engines } = read("package.json");
const page = /^git\+(https:\/\/github\.com\/([^/]+)\/[^/]+)\.git$/.exec(repository.url);
if (page === null) throw new Error("package.json: repository.url is not git+https://github.com/OWNER/NAME.git");
const [, home, owner] = page;

const problems = [];
for (const folder of readdirSync(new URL("packages/", root))) {
  const path = `packages/${folder}/package.json`;
  const manifest = read(path);
  if (manifest.private) continue;
  const written = withMetadata(manifest, folder);
  for (const field of ["description", "keywords"]) {
    if (!(written[field]?.length > 0)) problems.push(`${path}: no ${field}`);
  }
  if (!process.argv.includes("--check")) writeFileSync(new URL(path, root), `${JSON.stringify(written, null, 2)}\n`);
  else if (JSON.stringify(manifest) !== JSON.stringify(written)) {
    problems.push(`${path} is stale: run \`node scripts/metadata.mjs\``);
  }
}
if (process.argv.includes("--release") && owner === PLACEHOLDER) {
  problems.push("package.json: put the GitHub account that owns the repository into repository.url");
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Who it is, then where it comes from, then the rest in its own order. */
function withMetadata({ name, version, mcpName, description, keywords, ...rest }, folder) {
  const common = {
    homepage: `${home}/tree/main/packages/${folder}#readme`,
    bugs: { url: `${home}/issues` },
    repository: { ...repository, directory: `packages/${folder}` },
    license,
    author,
  };
  const own = Object.fromEntries(Object.entries(rest).filter(([field]) => !(field in common)));
  return {
    name,
    version,
    ...(mcpName !== undefined && { mcpName: `io.github.${owner}/${folder}` }),
    description,
    keywords,
    ...common,
    ...own,
    engines,
  };
}
