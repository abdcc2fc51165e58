/** Variables that name proxies, as programs read them. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * Gives the proxy for an address, by `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in small letters or large;
 * `undefined`: none. Throws for one that is no address of a proxy.
 */
export function proxyFor(url: URL, env: ProxyEnvironment): URL | undefined {
  const read = (name: string) => env[name.toLowerCase()] || env[name.toUpperCase()];
  const proxy = read(`${url.protocol.slice(0, -1)}_proxy`) ?? read("all_proxy");
  if (proxy === undefined || isExcluded(url, read("no_proxy") ?? "")) return undefined;
  const address = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (!URL.canParse(address) || !["http:", "https:"].includes(new URL(address).protocol)) {
    throw new Error(`The proxy ${JSON.stringify(proxy)} is no address such as http://proxy.example.org:3128`);
  }
  return new URL(address);
}

function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = "", wanted] = /^\*?\.?([^:]+|\[[^\]]+\])(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === "" || (wanted !== undefined && wanted !== (port || PORTS[protocol]))) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}
