import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const file = (path) => new URL(path, import.meta.url);
const { repository } = JSON.parse(readFileSync(file("../../../package.json"), "utf8"));
const home = repository.url.replace(/^git\+(.*)\.git$/, "$1");

export default defineConfig({
  title: "X Research",
  description: "Checked web research through your own Gemini CLI",
  // Under the repository's name on GitHub Pages; at the top elsewhere.
  base: process.env.DOCS_BASE ?? "/",
  srcDir: ".stage",
  outDir: "../../.site",
  cacheDir: ".cache",
  cleanUrls: true,
  metaChunk: true,
  // The texts have braces of their own, and no page has a template.
  markdown: {
    config(md) {
      for (const rule of ["text", "code_inline"]) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...given) => render(...given).replaceAll("{{", "&#123;&#123;");
      }
    },
  },
  themeConfig: {
    sidebar: JSON.parse(readFileSync(file("../.stage/sidebar.json"), "utf8")),
    outline: { level: [2, 3] },
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: home }],
  },
});
