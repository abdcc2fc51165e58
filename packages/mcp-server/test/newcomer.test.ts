import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { httpError, startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test } from "vitest";
import { leapSeconds, QUESTION } from "../demo/leap-seconds.mjs";
import { startPages } from "../demo/pages.mjs";
import { main } from "../src/cli/main.js";
import { fakeIo } from "./cli/fake-io.js";
import { newPlace } from "./support/place.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const OFFLINE_NAMES = new URL("../demo/offline-names.mjs", import.meta.url).href;
const SENTENCE = "The pump of hall 3 was replaced on 14 March 2025 for 48,200 euros.";
const SCHEMA = {
  type: "object",
  required: ["abolished_in_year", "leap_seconds", "mayor"],
  properties: {
    abolished_in_year: { type: ["integer", "null"] },
    leap_seconds: { type: "object", properties: { count: { type: ["integer", "null"] } } },
    mayor: { type: ["string", "null"] },
  },
};

/** A shell in an empty home, with `x-research` installed, the real CLI, and the recorded topic of the demo as the model. */
async function shell() {
  const { home, env, remove } = newPlace();
  const model = await startModelServer({ scenario: leapSeconds(QUESTION, { thinkMs: 0 }) });
  const pages = await startPages();
  onTestFinished(async () => {
    await Promise.all([model.close(), pages.close()]);
    remove();
  });
  // As a package manager installs it.
  const installed = join(home, "lib/node_modules/@x/mcp-server");
  await Promise.all([dirname(installed), join(home, "bin")].map((folder) => mkdir(folder, { recursive: true })));
  await symlink(here(".."), installed);
  const program = `#!/bin/sh\nexec "${process.execPath}" --import "${OFFLINE_NAMES}" "${installed}/dist/bin.js" "$@"\n`;
  await writeFile(join(home, "bin/x-research"), program, { mode: 0o755 });
  const PATH = `${join(home, "bin")}:${env["PATH"]}`;
  /** A line as it would be typed. Rejects when it does not end well. */
  const type = async (line: string) => {
    const child = spawn("sh", ["-c", line], {
      ...{
        cwd: home,
        env: { ...env, ...model.env, ...pages.env, PATH, TMPDIR: home },
        stdio: ["ignore", "pipe", "pipe"],
      },
    });
    const written = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      written.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      written.err += text;
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${written.out}\n${written.err}`);
    return written;
  };
  /** What the CLI told the model when it was asked this. */
  const prompted = (question: string) =>
    model.requests.filter(({ kind, turn, prompt }) => kind === "main" && turn === 0 && prompt.includes(question));
  return { home, type, prompted };
}

/** The command that a text names, up to what another program does with its output. */
function named(words: string, text: string): string {
  const line = text.split("\n").find((one) => one.includes(`x-research ${words}`));
  if (line === undefined) throw new Error(`No command \`x-research ${words}\` is named in:\n${text}`);
  const [command = ""] = line.slice(line.indexOf("x-research")).split(" | ");
  return command;
}

test("from the demo to a document of one's own, each command as the help, the README or an output names it", async () => {
  const { home, type, prompted } = await shell();
  const demo = await type(`"${process.execPath}" "${here("../demo/demo.mjs")}"`);
  expect(demo.out).toContain("5 of 6 claims proven");
  const help = await type("x-research --help");
  const readme = { out: await readFile(here("../README.md"), "utf8") };

  const search = await type(named("search", help.out));
  expect(search.out).toContain("27 leap seconds have been added since 1972");

  const deep = await type(named("deep-search", demo.out));
  expect(deep.out).toContain("**Leap seconds are being retired");
  expect(await readFile(join(home, "report.html"), "utf8")).toContain("5 of 6 claims proven");

  const asking = named("ask --last", help.out);
  const followUp = await type(asking);
  expect(followUp.out).toContain(`asked on from: ${QUESTION}`);
  const [, asked = ""] = /"(.+)"/.exec(asking) ?? [];
  const [first] = prompted(asked);
  for (const part of [QUESTION, "Leap seconds are being retired", "resolution-4"])
    expect(first?.prompt).toContain(part);
  await type(named("show --last --thread", readme.out));
  expect(await readFile(join(home, "thread.md"), "utf8")).toMatch(
    /^# Are leap seconds [\s\S]*\n---\n\n# And for how long /,
  );

  await writeFile(join(home, "founding.json"), JSON.stringify(SCHEMA));
  const inSchema = await type(named('search "Who founded Fabriano, and when?" --schema', readme.out));
  expect(JSON.parse(inSchema.out).data).toEqual({ abolished_in_year: 2035, leap_seconds: { count: 27 }, mayor: null });

  await type(named("export --last", readme.out));
  expect(await readFile(join(home, "sources.bib"), "utf8")).toContain("url = {http://metrology.example/resolution-4}");

  await mkdir(join(home, "notes"));
  await writeFile(join(home, "notes/hall-3.md"), `# Hall 3\n\n${SENTENCE}\n`);
  await writeFile(join(home, "notes/hall-4.md"), "# Hall 4\n\nNothing happened.\n");
  const own = await type(named('search "What did the pump cost?" --dir', readme.out));
  expect(own.out).toContain(SENTENCE);
  const quotes = [{ text: SENTENCE, found: "exact", line: 3 }];
  expect(JSON.parse((await type("x-research show --last --json")).out)).toMatchObject({
    metadata: { evidence: { proven: 1, claims: [{ quotes }] } },
  });

  // The id stands for one that `list` shows.
  const listed = await type('x-research list --search "Node.js versions" --ids');
  const refreshing = named("refresh", readme.out).replace("2f37", listed.out.trim());
  const refreshed = await type(refreshing);
  expect(refreshed.out).toMatch(/What has changed since \d{4}-\d\d-\d\d: 0 changed, 0 new, 0 gone, 3 as before/);
}, 600_000);

test("a key that Google refuses is named with the file that it stands in, and corrected there", async () => {
  const { home, env, remove } = newPlace();
  const model = await startModelServer({ scenario: () => httpError("bad-key") });
  onTestFinished(async () => {
    await model.close();
    remove();
  });
  await mkdir(join(home, ".gemini"));
  await writeFile(join(home, ".gemini/.env"), "GEMINI_API_KEY=mistyped\n");
  const { GOOGLE_GEMINI_BASE_URL = "" } = model.env;
  const { io, err } = fakeIo({ home, env: { ...env, GOOGLE_GEMINI_BASE_URL }, columns: 1_000 });
  expect(await main(["search", QUESTION], io)).toBe(4);
  expect(err()).toContain("The API refused the key (GEMINI_API_KEY in ~/.gemini/.env)");
  expect(err()).toContain("Correct GEMINI_API_KEY in ~/.gemini/.env");
}, 300_000);
