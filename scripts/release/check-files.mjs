// What must hold for the files of a release.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { fileIn, isServer, packedIn } from "./packed.mjs";

/** Throws at the first thing that does not hold. */
export async function checkFiles(folder, schemaFile) {
  const json = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  for (const line of readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n")) {
    const [sum, name] = line.split("  ");
    const found = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    must(sum === found, `${name} is not what SHA256SUMS says`);
  }
  for (const { tarball, manifest } of packedIn(folder)) {
    const { name, version } = manifest;
    const text = JSON.stringify(manifest);
    for (const word of ["workspace:", "catalog:", "@x/source"]) must(!text.includes(word), `${name}: ${word} is left`);
    for (const file of ["LICENSE", "README.md"]) must(fileIn(tarball, file) !== undefined, `${name}: no ${file}`);
    const changes = fileIn(tarball, "CHANGELOG.md") ?? "";
    must(changes.includes(`## ${version}\n`), `${name}: its changelog does not tell of ${version}`);
    checkComponents(JSON.parse(readFileSync(tarball.replace(/\.tgz$/, ".cdx.json"), "utf8")), manifest, folder);
    if (!isServer(manifest)) continue;
    const server = json("server.json");
    must(server.version === version && server.packages[0].version === version, "server.json is of another version");
    must(server.name === manifest.mcpName, "server.json has another name than the package");
    await checkSchema(server, schemaFile);
    checkDockerEntry(readFileSync(join(folder, "docker-mcp.yaml"), "utf8"), server.repository.url);
    checkBundle(join(folder, `x-research-${version}.mcpb`), version);
  }
}

/** The components are of this version and hold every dependency; for what is bundled, also all that the notices name. */
function checkComponents({ bomFormat, metadata, components }, manifest, folder) {
  const { name, version, dependencies } = manifest;
  must(bomFormat === "CycloneDX", `${name}: its components are not CycloneDX`);
  must(metadata.component.version === version, `${name}: its components are of another version`);
  const nameOf = ({ group, name: own }) => (group ? `${group}/${own}` : own);
  const known = components.map((component) => `${nameOf(component)} ${component.version}`);
  for (const dependency of Object.keys(dependencies ?? {})) {
    must(
      known.some((one) => one.startsWith(`${dependency} `)),
      `${name}: ${dependency} is missing in its components`,
    );
  }
  if (!isServer(manifest)) return;
  const notices = readFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  const noticed = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d\S*) \([\w. -]+\)$/gm)].map(([, title]) => title);
  must(noticed.length > 0, "the notices name nothing");
  for (const title of noticed) must(known.includes(title), `${title} is in the notices, but not in the components`);
  for (const title of known.filter((one) => !one.startsWith("@x/"))) {
    must(noticed.includes(title), `${title} is in the components, but not in the notices`);
  }
}

async function checkSchema(server, file) {
  const text = file === undefined ? await fetched(server.$schema) : readFileSync(file, "utf8");
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(JSON.parse(text));
  must(validate(server), `server.json: ${ajv.errorsText(validate.errors)}`);
}

async function fetched(url) {
  const response = await fetch(url).catch((error) => {
    throw new Error(`${url} cannot be fetched (${error.cause?.message}): name a copy with --schema FILE`);
  });
  must(response.ok, `${url} answers ${response.status}: name a copy with --schema FILE`);
  return response.text();
}

/** What the catalogue's own check asks of an entry: a pinned commit, of this repository, and variables by the entry's name. */
function checkDockerEntry(text, project) {
  must(/^ {2}commit: "?[0-9a-f]{40}"?$/m.test(text), "docker-mcp.yaml: the commit is not pinned");
  must(text.includes(`project: ${project}\n`), "docker-mcp.yaml is of another repository");
  const values = [...text.matchAll(/"\{\{([^.}]*)\./g)].map(([, name]) => name);
  must(
    values.length > 0 && values.every((name) => name === "x-research"),
    "docker-mcp.yaml: a variable of another entry",
  );
}

function checkBundle(file, version) {
  const manifest = JSON.parse(execFileSync("unzip", ["-p", file, "manifest.json"], { encoding: "utf8" }));
  must(manifest.version === version, "the bundle for Claude Desktop is of another version");
}

function must(holds, problem) {
  if (!holds) throw new Error(problem);
}
