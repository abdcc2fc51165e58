// The pages of the libraries' declarations, by TypeDoc, as Markdown.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Application } from "typedoc";
import { withOwnFragments } from "./fragments.mjs";
import { ENTRIES } from "./pages.mjs";

/** Gives the sidebar's entries. */
export async function writeApi(root, folder) {
  const links = [];
  for (const { package: name, entry, title } of ENTRIES) {
    const home = join(root, "packages", name);
    const path = `api/${title.replace("@x/", "").replace("/", "-")}`;
    const app = await Application.bootstrapWithPlugins({
      plugin: ["typedoc-plugin-markdown"],
      name: title,
      entryPoints: [join(home, entry)],
      tsconfig: join(home, "tsconfig.json"),
      // The sources are checked by the project's own compiler, which is newer.
      skipErrorChecking: true,
      outputs: [{ name: "markdown", path: join(folder, path) }],
      entryFileName: "index",
      readme: "none",
      disableSources: true,
      excludePrivate: true,
      excludeInternal: true,
      hideBreadcrumbs: true,
      hidePageHeader: true,
      outputFileStrategy: "modules",
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      typeDeclarationFormat: "table",
      validation: { notExported: false, invalidLink: true, rewrittenLink: false, notDocumented: false },
      logLevel: "Warn",
    });
    const project = await app.convert();
    if (project === undefined) throw new Error(`TypeDoc found nothing in ${title}`);
    await app.generateOutputs(project);
    const page = join(folder, path, "index.md");
    writeFileSync(page, withOwnFragments(readFileSync(page, "utf8")));
    links.push({ text: title, link: `/${path}/` });
  }
  return links;
}
