import { answered, type FakeStep, lines } from "../rig/fake-gemini.js";
import { ABUSES } from "./abuses.js";
import { playOf } from "./ground.js";

const report = (text: string, verified = true) =>
  JSON.stringify({ success: true, verified, report: text, metadata: {} });
const LONG_LINE = "What was found of the tides, in some words, with a number in it. [1](https://example.org/1)\n";
const LONG_BYTES = 5_000_000;

/** What more than one abuse, or the well-behaved client, makes the CLI do. */
const COMMON: Record<string, () => readonly FakeStep[]> = {
  ok: () => answered(report("Answer {number}: sixteen metres.")),
  /** Asked by the person at the machine. */
  person: () => answered(report("Answer {number}: for the person alone.")),
  slow: () => [{ do: "low-priority" }, { do: "wait", ms: 2_000 }, ...answered(report("Answer {number}, late."))],
  hang: () => [{ do: "low-priority" }, { do: "hang" }],
  stubborn: () => [{ do: "low-priority" }, { do: "ignore-signals" }, { do: "grandchild" }, { do: "hang" }],
  never: () => [{ do: "low-priority" }, ...answered(report("Answer {number}, not verified.", false))],
  long: () => answered(report(LONG_LINE.repeat(LONG_BYTES / LONG_LINE.length))),
  /** The prompt of a correction names no play: it is never corrected. */
  otherwise: () => [
    { do: "low-priority" },
    { do: "stdout", text: lines({ type: "init", session_id: "fake", model: "fake" }) },
    ...answered("I can not."),
  ],
};

/** Every play of the siege's CLI by its name. */
export function allPlays(): Record<string, readonly FakeStep[]> {
  const own = ABUSES.flatMap((abuse) => (abuse.steps ? [[playOf(abuse), abuse.steps()] as const] : []));
  const common = Object.entries(COMMON).map(([name, steps]) => [name, steps()] as const);
  return Object.fromEntries([...common, ...own]);
}
