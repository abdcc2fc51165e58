import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../../src/cli/main.js";
import { accessBy } from "../../support/access.js";
import { fakeIo } from "../fake-io.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "token-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function token(args: string[], env: Record<string, string> = {}) {
  const { io, out, err } = fakeIo({ home, env });
  return { code: await main(["token", ...args], io), out: out(), err: err() };
}

test("add prints the token alone, and it opens the server with its limits", async () => {
  const added = await token(["add", "ada", "--running", "2", "--per-minute", "60"]);
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^xr_[\w-]{43}\n$/) });
  const tokensFile = join(home, ".config", "gemini-research", "tokens.json");
  expect(added.err).toMatch(/^✓ A token for ada\. It is shown this once; /);
  expect(added.err).toContain(`\n  Start the server with MCP_SERVER_TOKENS=${tokensFile}\n`);
  expect(added.err).not.toContain(added.out.trim());
  expect(statSync(tokensFile).mode & 0o777).toBe(0o600);
  const access = await accessBy({ tokensFile });
  expect(await access.principalOf(`Bearer ${added.out.trim()}`)).toEqual({
    owner: "tenant:ada",
    limits: { running: 2, perMinute: 60 },
  });
});

test("terminals that add at once lose no token of each other", async () => {
  const names = ["ada", "bob", "cleo", "dan", "eve"];
  await Promise.all(names.map((name) => token(["add", name])));
  const kept = JSON.parse((await token(["list", "--json"])).out) as { name: string }[];
  expect(kept.map(({ name }) => name).toSorted()).toEqual(names);
});

test("list and remove", async () => {
  const MCP_SERVER_TOKENS = join(home, "tokens.json");
  const env = { MCP_SERVER_TOKENS };
  expect((await token(["list"], env)).err).toContain(`There is no token in ${MCP_SERVER_TOKENS} yet`);
  for (const name of ["ada", "ada", "bob"]) await token(["add", name, "--queued", "5"], env);
  const lines = (await token(["list"], env)).out.trimEnd().split("\n");
  expect(lines).toEqual(
    [/^ada {2}[0-9a-f]{8} {2}queued 5$/, /^ada/, /^bob/].map((line) => expect.stringMatching(line)),
  );
  await token(["add", "ada"], env);
  const digits = (at: number) => lines[at]?.split("  ")[1] ?? "";
  expect((await token(["remove", "ada", "--digest", digits(2)], env)).code).toBe(2);
  expect((await token(["remove", "ada", "--digest", digits(1)], env)).err).toMatch(/^✓ Removed 1 token of ada\. /);
  expect(await token(["remove", "ada"], env)).toMatchObject({
    code: 0,
    err: expect.stringContaining("Removed 2 tokens"),
  });
  expect(JSON.parse((await token(["list", "--json"], env)).out)).toMatchObject([
    { name: "bob", limits: { queued: 5 } },
  ]);
  expect(await token(["remove", "ada"], env)).toMatchObject({
    ...{ code: 2, err: expect.stringMatching(/^✗ There is no token of "ada"; `x-research token list`/) },
  });
});

test.each(["", "a", "1a2b3c4", "1a2b3c4g", ".{8}", `${"a".repeat(65)}`])(
  "no token goes by what could be several, or is no digest: --digest %j",
  async (digest) => {
    for (let n = 0; n < 3; n++) await token(["add", "ada"]);
    const { out: before } = await token(["list"]);
    expect(await token(["remove", "ada", "--digest", digest])).toMatchObject({
      ...{
        code: 2,
        out: "",
        err: expect.stringMatching(/^✗ --digest is\s.*expected\s+8\s+or\s+more\s+of\s+the\s+hexadecimal\s+digits/s),
      },
    });
    expect((await token(["list"])).out).toBe(before);
  },
);

test("limits shows a tenant's limits and changes them for all its tokens", async () => {
  await token(["add", "ada", "--running", "2"]);
  await token(["add", "ada", "--kept", "none"]);
  expect(await token(["limits", "ada", "--per-minute", "60", "--running", "none"])).toMatchObject({
    ...{
      code: 0,
      out: "ada  per minute 60\n",
      err: expect.stringMatching(/^✓ The limits of ada are changed\. .* hears of it/),
    },
  });
  expect(await token(["limits", "ada"])).toMatchObject({ code: 0, out: "ada  per minute 60\n", err: "" });
  expect(JSON.parse((await token(["list", "--json"])).out)).toMatchObject(
    Array(2).fill({ limits: { per_minute: 60 } }),
  );
  expect((await token(["limits", "ada", "--per-minute", "none"])).out).toBe("ada  no limit of its own\n");
  expect(await token(["limits", "eve"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^✗ There is no token of "eve"/),
  });
  expect((await token(["limits", "ada", "--running", "many"])).code).toBe(2);
});

test.each([["a b"], ["../x"], ["-x"], ["x".repeat(65)]])(
  "a name that could mean something else is refused: %s",
  async (name) => {
    expect((await token(["add", "--", name])).code).toBe(2);
  },
);
