import { join } from "node:path";
import { expect, test } from "vitest";
import { printing, scriptGemini } from "../../support/place.js";
import { onOwnDisk } from "../../support/small-disk.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();
const CONFIG = ".config/gemini-research";

/** What a command gives where a folder of the home is a disk of its own, and the CLI is this script. */
function onDisk(folder: string, size: string, script: string, ...argv: string[]) {
  const env = { PATH: process.env["PATH"], HOME: place.home, GEMINI_API_KEY: "k" };
  const GEMINI_CLI_PATH = scriptGemini(place, script);
  return onOwnDisk(join(place.home, folder), `size=${size}`, argv, { ...env, GEMINI_CLI_PATH });
}

/** In the folder of the run. */
const FILL = "head -c 3000000 /dev/zero > fill 2> /dev/null";

test.for([
  ["is full", "4k", ":", "Nothing can be written"],
  ["fills", "1000k", FILL, "Nothing more can be written"],
] as const)(
  "the disk of the runs %s: a search says so, which folder that is, and what to do",
  async (given, { skip }) => {
    const [, size, script, message] = given;
    const runs = join(CONFIG, "runs");
    const said = await onDisk(runs, size, script, "search", "Is it so?", "--json");
    if (said === undefined) return skip("no file system can be made here");
    expect({ code: said.code, ...JSON.parse(said.stdout) }).toMatchObject({
      ...{ code: 1, success: false },
      error: {
        reason: "workspace",
        message: `${message} to the folder of the runs, ${join(place.home, runs)}: the disk is full`,
        details: "The disk is full. Free some space, or set GEMINI_SEARCH_CONFIG_DIR to a folder on another disk.",
      },
    });
  },
);

test("the disk fills in a later round: the best report so far is given out", async ({ skip }) => {
  const draft = printing(place, { success: true, verified: false, report: "Draft.", metadata: {} });
  const script = `if grep -q "round 2 of" "$prompt"; then ${FILL}; else ${draft}; fi`;
  const said = await onDisk(CONFIG, "2m", script, "deep-search", "Is it so?", "--rounds", "2");
  if (said === undefined) return skip("no file system can be made here");
  expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Draft\.\n/) });
  expect(said.stdout).toContain("2. *failed:* Nothing more can be written to the folder of the runs");
});

test("the disk of the records fills: the report is given out, and it is said that it is not kept", async ({ skip }) => {
  const answer = printing(place, { success: true, report: `It is so. ${"Long. ".repeat(20_000)}`, metadata: {} });
  const jobs = join(CONFIG, "jobs");
  const said = await onDisk(jobs, "32k", answer, "search", "Is it so?", "--quiet");
  if (said === undefined) return skip("no file system can be made here");
  expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/^It is so\. Long\. /) });
  const folder = join(place.home, jobs);
  expect(said.stderr.trimEnd()).toMatch(
    new RegExp(
      `^! The end of search-\\w+ could not be saved in ${folder}: the disk is full\\. What came of it is known to this program alone, until it ends\\. The disk is full\\. Free some space, or set GEMINI_SEARCH_CONFIG_DIR to a folder on another disk\\.$`,
    ),
  );
});
