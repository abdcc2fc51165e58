#!/usr/bin/env node
// The site: READMEs, docs and the libraries' declarations as static pages in `.site`, with llms.txt for models. A link that leads
// nowhere fails the build. `npm run docs`
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brokenFragments } from "./fragments.mjs";
import { GROUPS, PAGES } from "./pages.mjs";
import { stage } from "./stage.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const staged = join(here, ".stage");
const site = join(root, ".site");

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
run("npx", ["--yes", "--prefer-offline", `--package=${packageManager}`, "--", "pnpm", "install", "--frozen-lockfile"]);

for (const folder of [staged, site]) rmSync(folder, { recursive: true, force: true });
const problems = stage(root, staged, PAGES);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
const { writeApi } = await import("./api.mjs");
const declarations = await writeApi(root, staged);
const sidebar = GROUPS.map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: page.path === "index" ? "/" : `/${page.path}` })),
}));
const libraries = sidebar.find(({ text }) => text === "Libraries");
libraries.items.push({ text: "Declarations", collapsed: true, items: declarations });
writeFileSync(join(staged, "sidebar.json"), JSON.stringify(sidebar));
run("npx", ["vitepress", "build", "."]);
const broken = brokenFragments(site, process.env.DOCS_BASE);
if (broken.length > 0) {
  for (const link of broken) console.error(`${link}: there is no such heading`);
  process.exit(1);
}

// Each page stands beside its Markdown, which models read with less effort.
const lines = GROUPS.flatMap(({ title, pages }) => [
  `\n## ${title}\n`,
  ...pages.map((page) => {
    const copy = join(site, `${page.path}.md`);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(staged, `${page.path}.md`), copy);
    return `- [${page.title}](/${page.path}.md): ${page.about}`;
  }),
]);
const { description } = JSON.parse(readFileSync(join(root, "packages/mcp-server/package.json"), "utf8"));
writeFileSync(join(site, "llms.txt"), `# X Research\n\n> ${description}\n${lines.join("\n")}\n`);
console.log(`${site}: ${PAGES.length} pages, declarations of ${declarations.length} entries`);

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: here, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(1);
}
