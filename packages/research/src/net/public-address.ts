import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** What is not on the public internet: RFC 6890, and what clouds and containers use inside. */
const notPublic = new BlockList();
for (const subnet of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]) {
  const [net = "", bits] = subnet.split("/");
  notPublic.addSubnet(net, Number(bits), "ipv4");
}
/** The part of IPv6 that is given out to the public; of it, the parts that are documentation or lead to IPv4. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");
const notPublicIpv6 = new BlockList();
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  notPublicIpv6.addSubnet(net, bits, "ipv6");
}

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, "ipv4");
  return family === 6 && publicIpv6.check(address, "ipv6") && !notPublicIpv6.check(address, "ipv6");
}

/** Names that mean this machine or its network. */
const INSIDE = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/i;

/** Whether an address is one of the web, without a name and password in it. */
export function isWebUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/** The host of an address, without the brackets of IPv6. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

/** Whether a host may be one of the public internet, by its name or number alone. */
export function isPublicHost(host: string, allowAddress: (address: string) => boolean): boolean {
  return isIP(host) === 0 ? host.includes(".") && !INSIDE.test(host) : allowAddress(host);
}

/** Resolves a name as usual, but only to addresses that are allowed: checked where the connection is made. */
export function lookupAllowed(allowAddress: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
      const allowed = addresses.filter(({ address }) => allowAddress(address));
      const [first] = allowed;
      if (error !== null || first === undefined) {
        callback(error ?? Object.assign(new Error(`${hostname} has no public address`), { code: "EACCES" }), "", 0);
      } else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
