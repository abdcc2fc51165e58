import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const { out } = await place.run(["completion", "bash"]);
  const script = `${out}
COMP_WORDS=(x-research "$@"); COMP_CWORD=$#
_x_research_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

test("commands, choices and options, in bash", async () => {
  expect(await offered("se")).toEqual(["search", "setup"]);
  expect(await offered("setup", "claude")).toEqual(["claude-code", "claude-desktop"]);
  expect(await offered("search", "--recency", "")).toEqual(["day", "week", "month", "year"]);
  expect(await offered("deep-search", "why", "--r")).toEqual([
    "--rounds",
    "--recency",
    "--require-evidence",
    "--require-verified",
  ]);
  expect(await offered("search", "--model", "")).toEqual([]);
  expect(await offered("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
});

test("every command that takes an id offers those there are, every option that takes a file offers files", async () => {
  const { out } = await place.run(["completion", "bash"]);
  const taking = (pattern: RegExp) => [...out.matchAll(pattern)].flatMap(([, names = ""]) => names.split("|"));
  const ids = taking(/^ *"([\w-]+) "\*\) .*list --ids/gm);
  expect(ids).toEqual(
    expect.arrayContaining(["ask", "again", "refresh", "resume", "show", "open", "export", "evidence", "delete"]),
  );
  const files = taking(/^ *(.+)\) compopt/gm).map((name) => name.replaceAll('"', ""));
  for (const option of ["--file", "--dir", "--schema", "--plan-file", "--out", "--html"])
    expect(files).toContain(`search ${option}`);
});

test("zsh and fish are told the same", async () => {
  const zsh = (await place.run(["completion", "zsh"])).out;
  expect(zsh).toMatch(/^#compdef x-research\n/);
  expect(zsh).toContain("'search --recency') compadd day week month year ;;");
  const fish = (await place.run(["completion", "fish"])).out;
  expect(fish).toContain(
    "complete -c x-research -n '__fish_seen_subcommand_from search' -l recency -x -a 'day week month year' -d 'how old pages may be'",
  );
  expect((await place.run(["completion", "csh"])).code).toBe(2);
});
