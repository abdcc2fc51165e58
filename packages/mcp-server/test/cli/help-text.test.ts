import { expect, test } from "vitest";
import { wrapped } from "../../src/cli/commands/help-text.js";
import { main } from "../../src/cli/main.js";
import { fakeIo } from "./fake-io.js";

const COMMANDS = [
  "",
  "search",
  "deep-search",
  "ask",
  "list",
  "export",
  "web",
  "config",
  "http",
  "worker",
  "token",
  "clear",
];

test.each([60, 80, 120])("every help fits a window of %d columns, and breaks between words", async (columns) => {
  for (const name of COMMANDS) {
    const { io, out } = fakeIo({ home: "/home/nobody", tty: ["stdout"], columns });
    expect(await main([...(name === "" ? [] : [name]), "--help"], io)).toBe(0);
    expect(
      out()
        .split("\n")
        .filter((line) => line.length > columns),
      name,
    ).toEqual([]);
  }
});

test("a broken line stands under its beginning", () => {
  const { io } = fakeIo({ home: "/home/nobody", tty: ["stdout"], columns: 20 });
  expect(wrapped("Examples:\n  one two three four five six", io)).toBe("Examples:\n  one two three four\n    five six");
});
