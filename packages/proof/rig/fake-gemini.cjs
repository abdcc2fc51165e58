#!/usr/bin/env node
// Stands in for the CLI where the real one cannot be made to do something: does the steps of the file beside it, or
// those of the play that its prompt names (`play-NAME.NUMBER`), when there is a folder of plays.
"use strict";
const { spawn } = require("node:child_process");
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } = require("node:fs");
const { setPriority } = require("node:os");
const { join } = require("node:path");

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];
const PLAYS = `${__filename}.plays`;
const LOW_PRIORITY = 15;
/** A step that goes on does not outlive the one who plays it by more. */
const LONGEST_MS = 600_000;

const play = { name: "otherwise", number: "0" };

function stepsFor(prompt) {
  if (!existsSync(PLAYS)) return JSON.parse(readFileSync(`${__filename}.json`, "utf8"));
  const [, name, number] = /play-([a-z0-9-]+)\.(\d+)/.exec(prompt) ?? [];
  if (name !== undefined) Object.assign(play, { name, number });
  note(process.pid);
  return JSON.parse(readFileSync(join(PLAYS, `${play.name}.json`), "utf8"));
}

/** Says which process plays what, where there are several plays. */
function note(pid) {
  if (!existsSync(PLAYS)) return;
  appendFileSync(join(PLAYS, "runs.jsonl"), `${JSON.stringify({ pid, ...play })}\n`);
}

/** A descriptor that is not blocking may take a part, or nothing. */
function writeAll(fd, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const doing = {
  stdout: ({ text }) => writeAll(1, text.replaceAll("{number}", play.number)),
  stderr: ({ text }) => writeAll(2, text),
  async repeat({ to, text, times, everyMs = 0 }) {
    const until = Date.now() + LONGEST_MS;
    for (let i = 0; i < times && Date.now() < until; i++) {
      writeAll(to, text);
      // A signal that has a handler gets its turn.
      await new Promise((resolve) => (everyMs > 0 ? setTimeout(resolve, everyMs) : setImmediate(resolve)));
    }
  },
  transcript({ text }) {
    const chats = join(process.env.GEMINI_CLI_HOME, ".gemini", "tmp", "fake", "chats");
    mkdirSync(chats, { recursive: true });
    writeFileSync(join(chats, "session-fake.jsonl"), text);
  },
  wait: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms)),
  "ignore-signals"() {
    for (const signal of SIGNALS) process.on(signal, () => {});
  },
  grandchild() {
    const program = `${JSON.stringify(SIGNALS)}.forEach((name) => process.on(name, () => {})); setInterval(() => {}, 1000);`;
    spawn(process.execPath, ["-e", program], { stdio: "ignore" });
  },
  daemon() {
    const program = `setTimeout(() => {}, ${LONGEST_MS})`;
    const { pid } = spawn(process.execPath, ["-e", program], { stdio: "ignore", detached: true });
    note(pid);
  },
  "low-priority": () => setPriority(LOW_PRIORITY),
  hang() {
    setInterval(() => {}, 1_000);
    if (existsSync(PLAYS)) setTimeout(() => process.exit(), LONGEST_MS);
    return new Promise(() => {});
  },
  exit: ({ code }) => process.exit(code),
  kill: ({ signal }) => process.kill(process.pid, signal),
};

const prompt = [];
process.stdin
  .on("data", (chunk) => prompt.push(chunk))
  .on("end", async () => {
    for (const step of stepsFor(Buffer.concat(prompt).toString())) await doing[step.do](step);
  });
