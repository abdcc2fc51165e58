#!/usr/bin/env node
// Stands in for the CLI where the real one cannot be made to do something: does the steps of the file beside it.
"use strict";
const { spawn } = require("node:child_process");
const { mkdirSync, readFileSync, writeFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];
const steps = JSON.parse(readFileSync(`${__filename}.json`, "utf8"));

/** A descriptor that is not blocking may take a part. */
function writeAll(fd, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

const doing = {
  stdout: ({ text }) => writeAll(1, text),
  stderr: ({ text }) => writeAll(2, text),
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
  hang() {
    setInterval(() => {}, 1_000);
    return new Promise(() => {});
  },
  exit: ({ code }) => process.exit(code),
  kill: ({ signal }) => process.kill(process.pid, signal),
};

process.stdin.resume().on("end", async () => {
  for (const step of steps) await doing[step.do](step);
});
