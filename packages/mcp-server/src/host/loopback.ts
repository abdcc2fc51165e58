const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** What is asked for without encryption could be anybody's answer; on the machine itself nobody is between. */
export function isSecureUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
