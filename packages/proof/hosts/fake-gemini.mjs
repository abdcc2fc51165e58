#!/usr/bin/env node
/**
 * Stands for Gemini CLI: `slow-N` in the question lets each run take N seconds, `long` gives a report of 100,000
 * characters. Notes each run in a file in the home of the host.
 */
import { appendFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { LAST_LINE, LINES } from "./long-report.mjs";

const FIRST_LINE = "The tower was finished in **1543** [1].";
const SOURCE = "https://example.org/tower";

const prompt = await text(process.stdin);
// One that was only started ahead is given none.
if (prompt.trim() !== "") {
  appendFileSync(join(homedir(), "runs.txt"), "run\n");
  await sleep(Number(/slow-(\d+)/.exec(prompt)?.[1] ?? 0) * 1_000);
  const lines = /\blong\b/.test(prompt) ? [FIRST_LINE, ...LINES, LAST_LINE] : [FIRST_LINE];
  const answer = {
    success: true,
    // The second round is shown the report of the first.
    verified: prompt.includes(FIRST_LINE),
    report: `${lines.join("\n")}\n\n1. ${SOURCE}`,
    metadata: { sources_visited: [SOURCE], search_queries_used: ["tower"] },
  };
  process.stdout.write(`\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`);
}
