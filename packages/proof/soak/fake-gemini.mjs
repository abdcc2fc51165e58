#!/usr/bin/env node
/**
 * Stands for Gemini CLI under load: does what a word in the question says, and notes how long it took itself beside it.
 *
 * `soak-KIND-N` in the prompt: `ok` answers; `slow` would answer after a minute and ends on SIGTERM; `stubborn` is slow
 * and ignores SIGTERM; `crash` ends with code 1; `auth` and `quota` end as the CLI does without a sign-in or a quota.
 */
import { appendFileSync, writeSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** What a quick answer takes: long enough that calls overlap. */
const ANSWER_MS = 60;
const SLOW_MS = 60_000;

const prompt = await text(process.stdin);
const [, kind = "ok", number = "0"] = /soak-([a-z]+)-(\d+)/.exec(prompt) ?? [];
const say = ({ type, ...more }) => {
  writeSync(1, `${JSON.stringify({ type, timestamp: new Date().toISOString(), ...more })}\n`);
};

if (kind === "stubborn") process.on("SIGTERM", () => {});
say({ type: "init", session_id: "fake", model: "fake-model" });
say({ type: "tool_use", tool_name: "google_web_search", tool_id: "1", parameters: { query: `about ${number}` } });
await sleep(kind === "slow" || kind === "stubborn" ? SLOW_MS : ANSWER_MS);
const fail = (exitCode, message) => {
  writeSync(2, `${message}\n`);
  process.exit(exitCode);
};
if (kind === "crash") fail(1, "TypeError: something broke");
if (kind === "auth") fail(41, "Please set an Auth method in your settings.json or specify GEMINI_API_KEY");
if (kind === "quota") fail(1, "TerminalQuotaError: You have exhausted your daily quota on this model.");

say({ type: "tool_result", tool_id: "1", status: "success", output: "Search results returned." });
const report = `# Answer ${number}\n\n${"What was found, in some words. ".repeat(40)}[1](https://example.org/${number})`;
const answer = {
  success: true,
  // The second round of a deep search is shown the report of the first.
  verified: prompt.includes(`# Answer ${number}`),
  report,
  metadata: { sources_visited: [`https://example.org/${number}`], search_queries_used: [`about ${number}`] },
};
say({ type: "message", role: "assistant", content: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``, delta: true });
const line = { kind, number: Number(number), startedAt: performance.timeOrigin, endedAt: 0 };
line.endedAt = performance.timeOrigin + performance.now();
appendFileSync(new URL("runs.jsonl", import.meta.url), `${JSON.stringify(line)}\n`);
say({ type: "result", status: "success", stats: { models: {} } });
