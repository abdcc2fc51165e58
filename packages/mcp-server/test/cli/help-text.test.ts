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
  expect(wrapped("Examples:\n  one two three four five six", { columns: 20 })).toBe(
    "Examples:\n  one two three four\n    five six",
  );
});

test("prose goes on at the margin", () => {
  expect(wrapped("A server for what people ask of it", { columns: 20 })).toBe("A server for what\npeople ask of it");
});

test.each(["nonsense", "list --state wrong", "setup nope"])(
  "what is wrong with a command line is broken between words: %s",
  async (line) => {
    const { io, err } = fakeIo({ home: "/home/nobody", env: { NO_COLOR: "1" }, tty: ["stderr"], columns: 60 });
    expect(await main(line.split(" "), io)).toBe(2);
    const long = err()
      .split("\n")
      .filter((line) => line.length > 60);
    expect(long).toEqual([]);
  },
);
