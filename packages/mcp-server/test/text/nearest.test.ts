import { expect, test } from "vitest";
import { nearest } from "../../src/text/nearest.js";

const CLIENTS = ["claude-code", "claude-desktop", "codex", "cursor", "zed"];

test.each([
  ["cusror", "cursor"],
  ["CURSOR", "cursor"],
  ["curser", "cursor"],
  ["claude-cod", "claude-code"],
  ["codx", "codex"],
  ["zeda", "zed"],
  ["claude", "claude-code"],
  ["emacs", undefined],
  ["x", undefined],
  ["", undefined],
  ["cursor".repeat(10_000), undefined],
])("%s means %s", (typed, meant) => {
  expect(nearest(typed, CLIENTS)).toBe(meant);
});
