// The closing line of a run of all tests: `N passed, N failed`, counted from the reports of the packages.
import { readdirSync, readFileSync } from "node:fs";

const packages = new URL("../packages/", import.meta.url);
const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed and why, to stand at the end of a long log: who reads only its tail has to find it. */
const failures = [];
for (const name of readdirSync(packages)) {
  const { scripts } = JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), "utf8"));
  if (scripts?.test === undefined) continue;
  let report;
  try {
    report = JSON.parse(readFileSync(new URL(`${name}/.turbo/vitest.json`, packages), "utf8"));
  } catch {
    console.error(`packages/${name}: no test report`);
    total.failed += 1;
    continue;
  }
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests;
  for (const file of report.testResults) {
    const where = file.name.slice(file.name.indexOf("packages/"));
    const failed = file.assertionResults.filter((result) => result.status === "failed");
    for (const { fullName, failureMessages } of failed)
      failures.push({ where, fullName, why: failureMessages.join("\n") });
    // A file that could not be loaded has no results of its own.
    if (failed.length === 0 && file.status === "failed")
      failures.push({ where, fullName: "the file itself", why: file.message });
  }
}
for (const { where, fullName, why } of failures) {
  console.log(`failed: ${where}: ${fullName}\n${why.split("\n").slice(0, 30).join("\n")}\n`);
}
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
