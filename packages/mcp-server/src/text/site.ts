/** The host of a web address as a person reads it, without `www.`; a text that is no address, as it stands. */
export function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : url;
}
