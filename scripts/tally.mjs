// The closing line of a run of all tests: `N passed, N failed`, counted from the reports of the packages.
import { readdirSync, readFileSync } from "node:fs";

const packages = new URL("../packages/", import.meta.url);
const total = { passed: 0, failed: 0, skipped: 0 };
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
}
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
