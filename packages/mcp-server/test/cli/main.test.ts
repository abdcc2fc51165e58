import { expect, test } from "vitest";
import { inOwnHome } from "./commands.js";

const place = inOwnHome();

test("--help names every command and every exit code; each command has help of its own", async () => {
  const { code, out } = await place.run(["--help"]);
  expect(code).toBe(0);
  for (const command of [
    "search",
    "deep-search",
    "resume",
    "cancel",
    "list",
    "show",
    "open",
    "delete",
    "clear",
    "doctor",
    "setup",
    "http",
  ]) {
    expect(out).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    expect((await place.run([command, "--help"])).out).toMatch(new RegExp(`^Usage: x-research ${command}`));
  }
  for (const exit of [0, 1, 2, 3, 4, 5, 6, 7, 130]) expect(out).toMatch(new RegExp(`\\b${exit}  \\S`));
});

test("--version", async () => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+\n$/);
  expect(await place.run(["--version"])).toEqual({ code: 0, out: version, err: "" });
});
