import { expect, test } from "vitest";
import { fileProblem, readProblem } from "../src/file-problem.js";

const refused = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: "EACCES" });

test("what may not be read and what may not be written is said in words", () => {
  expect(readProblem(refused)).toBe("this user may not read it");
  expect(fileProblem(refused)).toBe("this user may not write there");
  expect(fileProblem(Object.assign(new Error("EEXIST: file already exists, mkdir"), { code: "EEXIST" }))).toBe(
    "a file stands where a folder should be",
  );
  expect(readProblem(Object.assign(new Error(""), { code: "EISDIR" }))).toContain("this is a folder");
  expect(readProblem(Object.assign(new Error(""), { code: "ENOENT" }))).toBe("it is not there");
});
