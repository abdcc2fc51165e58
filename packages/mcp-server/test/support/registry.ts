import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const store = join(root, "node_modules/.pnpm");

interface Version {
  manifest: { name: string; version: string };
  /** Of ours alone: the others are packed when they are asked for. */
  integrity?: string;
  tarball(): Promise<Buffer>;
}

/** An npm registry on loopback: our packages as they would be published, and every package that is installed here. */
export interface Registry {
  /** `http://127.0.0.1:PORT/` */
  url: string;
  /** Manifests of our packed packages. */
  packed: Record<string, unknown>[];
  close(): Promise<void>;
}

export async function startRegistry(ours: readonly string[], folder: string): Promise<Registry> {
  const packages = new Map<string, Map<string, Version>>();
  const add = (version: Version) => {
    const { name } = version.manifest;
    packages.set(name, (packages.get(name) ?? new Map()).set(version.manifest.version, version));
  };
  for (const installed of installedPackages()) add(installed);
  const packed = await Promise.all(ours.map((name) => pack(name, folder)));
  for (const version of packed) add(version);

  const server = createServer(async (request, response): Promise<void> => {
    const [name = "", file] = decodeURIComponent((request.url ?? "/").slice(1)).split("/-/");
    const versions = packages.get(name);
    const json = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (versions === undefined) return json(404, { error: "not found" });
    const { port } = server.address() as AddressInfo;
    try {
      if (file !== undefined) {
        const version = versions.get(file.slice(basename(name).length + 1, -".tgz".length));
        if (version === undefined) return json(404, { error: "not found" });
        response.end(await version.tarball());
        return;
      }
      const document = { name, "dist-tags": {} as Record<string, string>, versions: {} as Record<string, object> };
      for (const [number, { manifest, integrity }] of versions) {
        const url = `http://127.0.0.1:${port}/${name}/-/${basename(name)}-${number}.tgz`;
        document.versions[number] = { ...manifest, dist: { tarball: url, ...(integrity && { integrity }) } };
        document["dist-tags"]["latest"] = number;
      }
      json(200, document);
    } catch (error) {
      json(500, { error: String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    packed: packed.map(({ manifest }) => manifest as unknown as Record<string, unknown>),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pack(name: string, folder: string): Promise<Version> {
  const file = join(folder, `${name}.tgz`);
  await execute("pnpm", ["pack", "--out", file], { cwd: join(root, "packages", name) });
  const { stdout } = await execute("tar", ["-xzOf", file, "package/package.json"]);
  const bytes = readFileSync(file);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  return { manifest: JSON.parse(stdout), integrity, tarball: async () => bytes };
}

function* installedPackages(): Generator<Version> {
  for (const entry of readdirSync(store)) {
    const name = /^(@?[^@]+)@/.exec(entry)?.[1]?.replace("+", "/");
    if (name === undefined) continue;
    const folder = join(store, entry, "node_modules", name);
    if (!statSync(join(folder, "package.json"), { throwIfNoEntry: false })) continue;
    // What a package does when it is installed was done, or refused, when it was installed here.
    const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    let bytes: Promise<Buffer> | undefined;
    yield {
      manifest,
      tarball: () => {
        bytes ??= tarballOf(folder);
        return bytes;
      },
    };
  }
}

/** What a program never reads, which is most of what there is to write when a package is installed. */
const UNREAD = ["*.ts", "*.mts", "*.cts", "*.map"].map((pattern) => `--exclude=${pattern}`);

async function tarballOf(folder: string): Promise<Buffer> {
  const archive = async (...args: string[]) =>
    (await execute("tar", ["-czf", "-", ...UNREAD, ...args], { encoding: "buffer", maxBuffer: 2 ** 30 })).stdout;
  // Files of the same content are one file in the store, which npm would leave out as links.
  const { stdout: version } = await execute("tar", ["--version"]);
  if (version.includes("GNU")) return archive("--hard-dereference", "-C", dirname(folder), basename(folder));
  const copy = await mkdtemp(join(tmpdir(), "registry-"));
  try {
    await cp(folder, join(copy, "package"), { recursive: true });
    return await archive("-C", copy, "package");
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
