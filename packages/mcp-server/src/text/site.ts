/** Who an address belongs to, as a person reads it: the host without `www.`, or the name of a file; a text that is none, as it stands. */
export function siteOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return protocol === "file:" ? unescaped(pathname.slice(pathname.lastIndexOf("/") + 1)) : host.replace(/^www\./, "");
}

/** The path of an address as a person writes it. */
export function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
