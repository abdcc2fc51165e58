import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Texts that a person reads: pages, what the next release says, messages of the program, of its demo and its image. */
function texts(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        /\.(?:md|ts|mjs|yaml)$|^Dockerfile$/.test(name) && !/(?:^|[\\/])(?:node_modules|test|\..*?)[\\/]/.test(name),
    )
    .map((name) => join(folder, name));
}

test("a person reads of `x-research`, never of the name that is there for package runners", () => {
  const files = [
    ...["docs", "plugins", "deploy", ".changeset", "packages/mcp-server/src", "packages/mcp-server/demo"].flatMap(
      texts,
    ),
    ...["README.md", "SECURITY.md", "packages/mcp-server/README.md", "packages/mcp-server/api.md"],
  ];
  expect(files.length).toBeGreaterThan(200);
  const named = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, i) =>
        /(?:^|[\s`("$])mcp-server [a-z-]+/.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(named).toEqual([]);
});
