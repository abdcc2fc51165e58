// What this code and the code of an earlier commit answer to all corpora and to 30,000 damaged texts, and in what they
// differ: `node bench/compare.mjs e90981c`. Both are built from their sources; `--list` names the cases.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import heldOut from "../test/corpus/held-out.js";
import { HINTS, judge } from "../test/corpus/score.js";
import { damaged } from "./damage.mjs";
import { table } from "./table.mjs";
import { installPeers } from "./tool.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const [commit] = positionals;
if (commit === undefined) throw new Error("give the commit to compare with");

const root = fileURLToPath(new URL("../../../", import.meta.url));
const esbuild = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild");
const folder = mkdtempSync(join(tmpdir(), "json-repair-compare-"));

/** The package as it stands in a folder, as one file. */
async function built(sources, name) {
  const outfile = join(folder, `${name}.mjs`);
  await esbuild.build({
    entryPoints: [join(sources, "src/index.ts")],
    bundle: true,
    format: "esm",
    outfile,
    // What the earlier code depended on.
    nodePaths: [join(installPeers(), "node_modules")],
    logLevel: "error",
  });
  return (await import(pathToFileURL(outfile).href)).extractJson;
}

function answerOf(extractJson, text, options) {
  const result = extractJson(text, options);
  if (!result.ok) return { value: undefined, ok: false, sure: true };
  const sure = result.complete && result.repairs.every((repair) => repair.sure);
  return { ok: true, value: result.value, sure, json: JSON.stringify(result.value) };
}

const linesOf = (name) =>
  readFileSync(new URL(`../test/corpus/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map(JSON.parse);

function* cases() {
  const corpora = [
    ["published", linesOf("public.jsonl")],
    ["our own", heldOut],
    ["varied", linesOf("varied.jsonl")],
    ["blind set 1, without a schema", linesOf("blind-1.jsonl").filter((one) => !one.schema)],
  ];
  for (const [corpus, all] of corpora) {
    for (const { id, input, schemaHint, expect, accept = [] } of all) {
      const options = schemaHint ? { schema: HINTS[schemaHint] } : {};
      const verdict = (answer) =>
        [expect, ...accept].some((right) => judge(right, answer) === "right")
          ? "right"
          : answer.ok
            ? "wrong"
            : "refused";
      yield { corpus, id, input, options, verdict };
    }
  }
  for (const slips of [1, 2]) {
    for (let nth = 1; nth <= 15_000; nth++) {
      const one = damaged(nth, slips);
      if (!one) continue;
      const right = JSON.stringify(one.value);
      const verdict = (answer) => (!answer.ok ? "refused" : answer.json === right ? "right" : "wrong");
      yield {
        corpus: `${slips === 1 ? "one slip" : "two slips"}`,
        id: `#${nth}`,
        input: one.text,
        options: {},
        verdict,
      };
    }
  }
}

/** What has become of a case; undefined where nothing has. */
function classOf(before, now, was, is) {
  if (was !== is) return `${was}, now ${is}${is === "wrong" ? (now.sure ? " and sure" : ", and says so") : ""}`;
  if (is === "wrong" && before.json !== now.json) return "wrong, now in another way";
  if (before.sure === now.sure) return undefined;
  return `${is}, ${now.sure ? "and now sure" : "and no longer sure"}`;
}

try {
  execFileSync(
    "sh",
    ["-c", `git archive ${JSON.stringify(commit)} packages/json-repair | tar x -C ${JSON.stringify(folder)}`],
    {
      cwd: root,
    },
  );
  const before = await built(join(folder, "packages/json-repair"), "before");
  const now = await built(join(root, "packages/json-repair"), "now");
  const counts = new Map();
  const corpora = new Map();
  for (const { corpus, id, input, options, verdict } of cases()) {
    const [old, own] = [answerOf(before, input, options), answerOf(now, input, options)];
    const kind = classOf(old, own, verdict(old), verdict(own)) ?? "the same";
    corpora.set(corpus, (corpora.get(corpus) ?? 0) + 1);
    const row = counts.get(kind) ?? new Map();
    row.set(corpus, (row.get(corpus) ?? 0) + 1);
    counts.set(kind, row);
    if (values.list && kind !== "the same") console.log(`${kind}: ${corpus} ${id}`);
  }
  const names = [...corpora.keys()];
  const sum = (row) => [...row.values()].reduce((all, one) => all + one, 0);
  const rows = [...counts].sort((a, b) => sum(b[1]) - sum(a[1]));
  const body = rows.map(([kind, row]) => [kind, ...names.map((name) => row.get(name) ?? 0)]);
  body.push(["all", ...names.map((name) => corpora.get(name))]);
  console.log(table([`answers beside those of ${commit}`, ...names], body));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
