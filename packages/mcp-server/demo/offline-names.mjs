// For `node --import`: gives the hosts of the recorded pages an address of the public internet, so that no name service is
// asked for them. Nothing is contacted there: a proxy on loopback answers for the pages.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { HOSTS } from "./pages.mjs";

const ADDRESS = { address: "93.184.215.14", family: 4 };
const { lookup } = dns.promises;
dns.promises.lookup = async (host, options) =>
  HOSTS.includes(host) ? (options?.all ? [ADDRESS] : ADDRESS) : lookup(host, options);
syncBuiltinESMExports();
