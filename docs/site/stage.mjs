// Writes the pages into a folder for VitePress: takes their sections, and makes every relative link lead to a page, to a copied
// picture, or to the file in the repository. A link that leads nowhere is an error.
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
/**
 * Gives what leads nowhere.
 *
 * @param {string} root
 * @param {string} folder
 * @param {{ path: string, title: string, from: string, section?: string }[]} pages
 * @returns {string[]}
 */
export function stage(root, folder, pages) {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const home = repository.url.replace(/^git\+(.*)\.git$/, "$1");
  // READMEs are read on npm too, where a relative link would leave the package.
  const own = `${home}/blob/main/`;
  const texts = new Map(pages.map((page) => [page, textOf(root, page)]));
  const problems = [];
  for (const [page, text] of texts) {
    const written = withLinks(text, (href) => {
      if (/^[a-z]+:|^\/\//i.test(href) && !href.startsWith(own)) return href;
      const target = resolve(href, page, texts);
      if (target.problem !== undefined) problems.push(`${page.from}: ${href}: ${target.problem}`);
      return target.href;
    });
    write(join(folder, `${page.path}.md`), written);
  }
  return problems;

  function resolve(href, page, texts) {
    const [file, anchor] = href.split("#");
    let path =
      file === ""
        ? page.from
        : file.startsWith(own)
          ? file.slice(own.length)
          : posix.normalize(posix.join(posix.dirname(page.from), decodeURI(file)));
    if (!existsSync(join(root, path))) return { href, problem: "there is no such file" };
    if (statSync(join(root, path)).isDirectory()) {
      const readme = posix.join(path, "README.md");
      if (existsSync(join(root, readme))) path = readme;
    }
    if (/\.(?:svg|png)$/.test(path)) {
      const copy = join(folder, "public", path);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(root, path), copy);
      return { href: `/${path}` };
    }
    const holders = pages.filter(({ from }) => from === path);
    if (holders.length === 0) return { href: `${home}/${isFile(path) ? "blob" : "tree"}/main/${path}` };
    if (anchor === undefined) return { href: `/${(holders.find(({ section }) => !section) ?? holders[0]).path}` };
    const whole = holders.find(({ section }) => section !== undefined && slugOf(section) === anchor);
    if (whole !== undefined) return { href: `/${whole.path}` };
    // The page itself before others, and a section before the whole file.
    const having = holders.filter((one) => anchorsOf(texts.get(one)).includes(anchor));
    const best = having.includes(page) ? page : (having.find(({ section }) => section) ?? having[0]);
    if (best === undefined) return { href, problem: "there is no such heading" };
    return { href: `${best === page ? "" : `/${best.path}`}#${anchor}` };
  }

  function isFile(path) {
    return statSync(join(root, path)).isFile();
  }
}

/** The text of a page: a file, or its section with its headings raised by one level. */
function textOf(root, { from, section, title }) {
  const text = readFileSync(join(root, from), "utf8").replaceAll("\r\n", "\n");
  if (section === undefined) return text;
  const body = text.split(/^## /m).find((part) => part.split("\n", 1)[0] === section);
  if (body === undefined) throw new Error(`${from} has no section "${section}"`);
  return `# ${title}\n${body.slice(section.length).replace(/^###/gm, "##")}`;
}

/** The text with every link and picture exchanged; code is left alone. */
function withLinks(text, exchange) {
  return text
    .split(/(^ *```[\s\S]*?^ *```|`[^`\n]*`)/m)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(/(\]\()([^()\s]+)(\))/g, (_, open, href, close) => open + exchange(href) + close),
    )
    .join("");
}

/** The anchors of a text's headings. */
export function anchorsOf(text) {
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, "");
  return [...prose.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => slugOf(heading));
}

/** The anchor of a heading, as GitHub makes it. */
function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
