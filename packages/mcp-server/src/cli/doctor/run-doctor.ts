import { EXIT, exitCodeOf } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { VERSION } from "../../host/version.js";
import { jsonText } from "../../text/json-text.js";
import { screenOf } from "../terminal/paint.js";
import { told } from "../terminal/told.js";
import type { Check } from "./check.js";
import { checkText } from "./check-text.js";
import { examine, type Machine } from "./checks.js";

const POLICY_DIRS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "/Library/Application Support/GeminiCli/policies",
  win32: "C:\\ProgramData\\gemini-cli\\policies",
};

/** Prints what research needs and what is missing. Gives the exit code of the first failure. */
export async function runDoctor(
  { live = false, json = false }: { live?: boolean; json?: boolean },
  io: Io,
  machine: Machine = {
    nodeVersion: process.versions.node,
    policyDirs: [POLICY_DIRS[io.host.platform] ?? "/etc/gemini-cli/policies"],
  },
): Promise<number> {
  const screen = screenOf(io.stdout, io.env);
  const checks: Check[] = [];
  for await (const check of examine(io, machine, { live })) {
    checks.push(check);
    if (!json) io.stdout.write(`${checkText(check, screen)}\n`);
  }
  const failed = checks.filter((check) => check.status === "failed");
  const unknown = checks.filter((check) => check.status === "unknown");
  if (json) {
    const report = { ok: failed.length + unknown.length === 0, version: VERSION, platform: io.host.platform, checks };
    io.stdout.write(jsonText(report));
  } else {
    const closing =
      failed.length > 0
        ? "Research cannot run yet."
        : unknown.length > 0
          ? "Nothing is missing, but whether the model answers is not known yet."
          : live
            ? "Everything works."
            : `Ready. \`${io.command} doctor --live\` also asks the model.`;
    io.stdout.write(`\n${told("", closing, io.stdout, io.env)}`);
  }
  const [first] = [...failed, ...unknown];
  return first === undefined ? EXIT.ok : first.code === undefined ? EXIT.failed : exitCodeOf(first.code);
}
