import { readFileSync } from "node:fs";

const dockerfile = readFileSync(new URL("../../../deploy/Dockerfile", import.meta.url), "utf8");

/** What our Docker image sets for the C library: the server under siege is started with it. */
export const MALLOC: Readonly<Record<string, string>> = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
);
