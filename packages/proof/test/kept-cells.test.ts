import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Fault } from "../faults/fault.js";
import { keepCells, keptCells } from "../faults/kept-cells.js";
import { type Cell, toMarkdown } from "../faults/table.js";

const fault: Fault = { group: "The API", name: "500", by: "a status", withinMs: 1_000, play: async () => "" };
const cells: Cell[] = [
  { fault, tool: "search", said: "EXECUTION_ERROR 1 s", problems: [] },
  { fault, tool: "deep_search", said: "EXECUTION_ERROR 9 s", problems: ["took 9 s"] },
];

test("the cells of a whole run come back with their faults, and those of an unknown fault do not", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "kept-cells-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = pathToFileURL(path.join(folder, "new", "cells.json"));
  await keepCells(file, cells);
  expect(await keptCells(file, [fault])).toEqual(cells);
  await expect(keptCells(file, [])).rejects.toThrow("500");
});

test("the page names what was played again, and what fails all the same", () => {
  const [holds, fails] = cells as [Cell, Cell];
  expect(toMarkdown([fault], [holds, fails], "stdio")).not.toContain("once more");
  const page = toMarkdown([fault], [holds, { ...fails, again: true }], "stdio");
  expect(page).toContain("What did not hold among the others was played once more, alone: 500 × `deep_search`.");
  expect(page).toContain("1 of 2 cells hold.");
  expect(page).toContain("- 500 × `deep_search`: took 9 s");
});
