// Links of the built site whose fragment is the id of nothing, which a page only shows by not moving.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { anchorsOf } from "./stage.mjs";

/**
 * Gives what leads nowhere: `page: link`.
 *
 * @param {string} site Folder of the built pages.
 * @param {string} base Path that the site is served under: begins and ends with a slash.
 * @returns {string[]}
 */
export function brokenFragments(site, base = "/") {
  const pages = readdirSync(site, { recursive: true })
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".html"));
  const ids = new Map();
  const idsOf = (page) => {
    if (!ids.has(page)) {
      const text = readFileSync(join(site, page), "utf8");
      ids.set(page, new Set([...text.matchAll(/ (?:id|name)="([^"]+)"/g)].map(([, id]) => decoded(id))));
    }
    return ids.get(page);
  };
  return pages.flatMap((page) => {
    const text = readFileSync(join(site, page), "utf8");
    const links = new Set([...text.matchAll(/ href="([^"#]*)#([^"]+)"/g)].map(([, path, id]) => `${path}#${id}`));
    return [...links].flatMap((link) => {
      const [path, id] = link.split("#");
      if (/^[a-z]+:|^\/\//i.test(path)) return [];
      const target = path === "" ? page : fileOf(posix.resolve(`/${posix.dirname(page)}`, withoutBase(path, base)));
      return target !== undefined && idsOf(target).has(decoded(id)) ? [] : [`${page}: ${link}`];
    });
  });

  function fileOf(path) {
    const name = decoded(path).slice(1);
    return [name, `${name}.html`, posix.join(name, "index.html")].find(
      (file) => file.endsWith(".html") && existsSync(join(site, file)),
    );
  }
}

function withoutBase(path, base) {
  return path.startsWith(base) ? `/${path.slice(base.length)}` : path;
}

function decoded(text) {
  return decodeURIComponent(text.replaceAll("&amp;", "&"));
}

/**
 * A page of declarations with the fragments that its headings have. TypeDoc numbers names that differ in case and dots alone
 * (`RunnerError.code`, `RunnerErrorCode`); a page numbers headings that are the same.
 *
 * @param {string} text
 */
export function withOwnFragments(text) {
  const anchors = anchorsOf(text);
  const once = (name) => anchors.filter((anchor) => anchor === name).length === 1;
  return text.replace(/\]\(#([\w-]+)-\d+\)/g, (link, name) => (once(name) ? `](#${name})` : link));
}
