import { expect, test } from "vitest";
import type { Fault } from "../faults/fault.js";
import { otherAnswers } from "../faults/same-answers.js";

const PAGE = `| fault | brought about by | within | \`search\` | \`deep_search\` | \`deep_research\` | \`research_result\` | \`research_cancel\` |
| --- | --- | --- | --- | --- | --- | --- | --- |
| a \\| b | model server | 3 s | AUTH_REQUIRED 0.2 s | completed 0.1 s |  |  | cancelled 3.9 s |
| SIGKILL of the CLI | kill | 3 s | EXECUTION_ERROR 0.2 s |  |  |  |  |`;

const cell = (name: string, tool: "search" | "deep_search" | "research_cancel", said: string) => ({
  fault: { name } as Fault,
  tool,
  said,
});

test("what another answer is, and what is none", () => {
  const cells = [
    cell("a | b", "search", "AUTH_REQUIRED 7.2 s"),
    cell("a | b", "research_cancel", "cancelled 400 ms"),
    cell("a | b", "deep_search", "EXECUTION_ERROR 0.1 s"),
    cell("SIGKILL of the CLI", "search", "completed 5 s"),
    cell("newer than the page", "search", "completed 5 s"),
  ];
  expect(otherAnswers(PAGE, cells)).toEqual([
    "deep_search × a | b: EXECUTION_ERROR 0.1 s, where it was: completed 0.1 s",
  ]);
});
