import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();
const path = () => join(place.home, ".config/gemini-research/config.json");
const content = () => JSON.parse(readFileSync(path(), "utf8"));

test("terminals that set at once lose no setting of each other", async () => {
  const settings = [
    ["model", "gemini-2.5-pro"],
    ["maxRounds", "3"],
    ["keepDays", "9"],
    ["attempts", "2"],
  ] as const;
  await Promise.all(settings.map(([key, value]) => place.run(["config", "set", key, value])));
  for (const [key, value] of settings) expect((await place.run(["config", "get", key])).out).toBe(`${value}\n`);
});

test("set, get, list, unset, path", async () => {
  expect((await place.run(["config", "path"])).out).toBe(`${path()}\n`);
  expect(await place.run(["config", "set", "model", "gemini-3-flash-preview"])).toEqual({
    code: 0,
    out: "",
    err: "✓ model = gemini-3-flash-preview\n",
  });
  await place.run(["config", "set", "maxRounds", "3"]);
  expect(content()).toEqual({ model: "gemini-3-flash-preview", maxRounds: 3 });
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect((await place.run(["config", "get", "maxRounds"])).out).toBe("3\n");
  expect((await place.run(["config", "get", "keepDays"])).out).toBe("7\n");
  const { out } = await place.run(["config", "list"], { env: { JSON_MAX_RETRIES: "2" } });
  // In columns: names, values, where those come from.
  expect(out).toMatch(/^model {12}gemini-3-flash-preview {2}config file$/m);
  expect(out).toMatch(/^attempts {9}2 {23}JSON_MAX_RETRIES$/m);
  expect(out).toMatch(/^correctionModel {2}\S/m);
  expect(out).toMatch(/^timeoutMs {8}300000$/m);
  expect(JSON.parse((await place.run(["config", "list", "--json"])).out)).toMatchObject({
    model: { value: "gemini-3-flash-preview", from: `${path()}:2` },
    debug: { value: "false", from: "default" },
  });
  await place.run(["config", "unset", "model"]);
  expect(content()).toEqual({ maxRounds: 3 });
});

test("a setting of the environment counts before it, and that is said", async () => {
  const { err } = await place.run(["config", "set", "model", "a"], { env: { GEMINI_MODEL: "b" } });
  expect(err).toContain("! GEMINI_MODEL is set in the environment and counts before it.\n");
});

test.each([
  [["set", "modle", "x"], /There is no setting "modle"; did you mean model\?/],
  [["get", "colour"], /There is no setting "colour"; known are/],
  [["set", "maxRounds", "many"], /maxRounds cannot be "many": expected a whole number of rounds/],
  [["set", "model", "--yolo me"], /model cannot be|no option --yolo/],
  [["set", "model", " "], /model cannot be " "/],
  [["set", "GEMINI_API_KEY", "k"], /"GEMINI_API_KEY" does not go into the config file: secrets belong into/],
  [["set", "token", "k"], /does not go into the config file/],
])("config %j is refused, and nothing is written", async (args, message) => {
  const { code, err } = await place.run(["config", ...args]);
  expect(code).toBe(2);
  expect(err.replaceAll(/\s+/g, " ")).toMatch(message);
  expect(() => statSync(path())).toThrow("ENOENT");
});

test("a broken file is not written over; what is wrong in it fails the list, and is told with each value", async () => {
  mkdirSync(join(path(), ".."), { recursive: true });
  writeFileSync(path(), '{\n "model" }');
  const { code, err } = await place.run(["config", "set", "model", "x"]);
  expect(code).toBe(2);
  expect(err.replaceAll(/\s+/g, " ")).toContain(
    `${path()}:2: this is no JSON; nothing of the file is used. Mend it first.`,
  );
  expect(readFileSync(path(), "utf8")).toBe('{\n "model" }');
  expect(await place.run(["config", "list"])).toMatchObject({
    code: 1,
    err: expect.stringContaining(":2: this is no JSON"),
  });
  expect(await place.run(["config", "get", "maxRounds"])).toMatchObject({
    out: "5\n",
    err: expect.stringContaining(":2: this is no JSON"),
  });
});

test("a value that is refused is not shown as the one in effect", async () => {
  mkdirSync(join(path(), ".."), { recursive: true });
  writeFileSync(path(), '{ "timeoutMs": "five minutes", "maxRounds": 1 }');
  const { code, out, err } = await place.run(["config", "list"]);
  expect(out).toMatch(/^timeoutMs {8}300000 {2}default, since that of config file is refused$/m);
  expect(out).toMatch(/^maxRounds {8}2 {7}config file$/m);
  expect(err).toContain('timeoutMs is "five minutes": expected whole milliseconds');
  expect(code).toBe(1);
  expect((await place.run(["config", "get", "timeoutMs"])).out).toBe("300000\n");
  expect(JSON.parse((await place.run(["config", "list", "--json"])).out)).toMatchObject({
    timeoutMs: { value: "300000", from: "default", refused: { value: "five minutes", from: `${path()}:1` } },
  });
});

test("what nobody knows can be taken out of the file", async () => {
  mkdirSync(join(path(), ".."), { recursive: true });
  writeFileSync(path(), '{ "maxRound": 3, "model": "pro" }');
  expect(await place.run(["config", "unset", "maxRound"])).toMatchObject({
    code: 0,
    err: "✓ maxRound is not set any more\n",
  });
  expect(content()).toEqual({ model: "pro" });
  expect(await place.run(["config", "unset", "maxRound"])).toMatchObject({ code: 2 });
  expect(await place.run(["config", "unset", "toString"])).toMatchObject({ code: 2 });
});

test.each([60, 80, 120])("each setting is one line of %d cells, however long its value is", async (columns) => {
  await place.run(["config", "set", "systemPrompt", `Find ${"what is known ".repeat(20)}`]);
  const { out } = await place.run(["config", "list"], { tty: ["stdout"], env: { NO_COLOR: "1" }, columns });
  expect(out).toMatch(/^systemPrompt +Find .*… {2}config file$/m);
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
});
