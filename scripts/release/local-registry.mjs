// A registry of npm on loopback: takes what is published to it, and fetches everything else from the registry that npm is
// set to. Verdaccio is large, so it is installed into the given folder and is no dependency.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** One of its packages asks for node-fetch by a tag, which a mirror of the registry may not have. */
const MANIFEST = { private: true, dependencies: { verdaccio: "6.8.0" }, overrides: { "node-fetch": "2.7.0" } };

/** Starts it; gives its address, a configuration file of npm for it, and how to end it. */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  writeFileSync(join(folder, "package.json"), JSON.stringify(MANIFEST));
  execFileSync("npm", ["install", ...quiet], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = {
    storage: join(folder, "storage"),
    uplinks: { upstream: { url: upstream, maxage: "30m" } },
    packages: {
      "@x/*": { access: "$all", publish: "$all" },
      "**": { access: "$all", proxy: "upstream" },
    },
    // What is new here is not asked of the upstream registry.
    publish: { allow_offline: true },
    log: { type: "stdout", format: "pretty", level: "error" },
  };
  // JSON is YAML.
  const configFile = join(folder, "config.yaml");
  writeFileSync(configFile, JSON.stringify(config));
  const npmrc = join(folder, "npmrc");
  writeFileSync(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=nobody\n`);

  const bin = join(folder, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(process.execPath, [bin, "--config", configFile, "--listen", `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // It tells its parent when it listens.
  await Promise.race([
    once(child, "message"),
    once(child, "close").then(([code]) => Promise.reject(new Error(`verdaccio ended with ${code}`))),
  ]);
  const stop = async () => {
    const closed = once(child, "close");
    child.kill();
    await closed;
  };
  return { url, npmrc, stop };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
