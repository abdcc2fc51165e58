/** What the CLI's process may do instead of an answer. */
import { must } from "../../fuzz/target.js";
import { answered, type FakeStep, lines } from "../../rig/fake-gemini.js";
import type { Abuse, Ground, Group } from "../ground.js";
import { mustComplete, mustFail, until } from "./expect.js";

const MIB = 2 ** 20;
const INIT = lines({ type: "init", session_id: "fake", model: "fake" });
const OPEN: FakeStep = { do: "stdout", text: '{"type":"message","role":"assistant","content":"' };
const NO_EVENT = `${"no event ".repeat(MIB / 9)}\n`;
/** The limit of 64 MiB of output, and what others write meanwhile. */
const MOST_DISK_MB = 128;
const hang: readonly FakeStep[] = [{ do: "hang" }];

/** Steps, and what the error must say. */
type Row = [name: string, sent: string, says: RegExp, steps: () => FakeStep[]];

const TOO_MUCH = /limit|too much|MiB|bytes|characters in one line/i;
const TOO_LONG = /time|second/i;

const ROWS: readonly Row[] = [
  [
    "line of 80 MiB",
    "one event",
    TOO_MUCH,
    () => [OPEN, { do: "repeat", to: 1, text: "a".repeat(MIB), times: 80 }, { do: "stdout", text: '"}\n' }],
  ],
  [
    "line of 600 MiB",
    "one event that never ends",
    TOO_MUCH,
    () => [OPEN, { do: "repeat", to: 1, text: "a".repeat(MIB), times: 600 }, ...hang],
  ],
  [
    "lines without end",
    "512 MiB that are no events",
    TOO_MUCH,
    () => [{ do: "repeat", to: 1, text: NO_EVENT, times: 512 }, ...hang],
  ],
  [
    "events without end",
    "512 MiB of an answer in parts",
    TOO_MUCH,
    () => [
      {
        do: "repeat",
        to: 1,
        text: lines({ type: "message", role: "assistant", content: "tides ".repeat(10_000), delta: true }).repeat(16),
        times: 540,
      },
      ...hang,
    ],
  ],
  ["stderr without end", "512 MiB", TOO_MUCH, () => [{ do: "repeat", to: 2, text: NO_EVENT, times: 512 }, ...hang]],
  ["silence", "nothing, SIGTERM ignored", TOO_LONG, () => [{ do: "ignore-signals" }, { do: "grandchild" }, ...hang]],
  [
    "answer that never ends",
    "a line every 50 ms, SIGTERM ignored",
    TOO_LONG,
    () => [
      { do: "ignore-signals" },
      {
        do: "repeat",
        to: 1,
        text: lines({ type: "message", role: "assistant", content: "and ", delta: true }),
        times: 1e9,
        everyMs: 50,
      },
    ],
  ],
];

export const OUTPUT: Group = {
  name: "The CLI's process",
  abuses: [
    ...ROWS.map(
      ([name, sent, says, steps]): Abuse => ({
        name,
        sent,
        expected: `EXECUTION_ERROR that says ${says === TOO_MUCH ? "that it is too much" : "that it took too long"}; no process left`,
        withinMs: 25_000,
        steps: () => [{ do: "low-priority" }, { do: "stdout", text: INIT }, ...steps()],
        async play(ground) {
          const question = ground.ownQuestion();
          const peer = await ground.open();
          const from = performance.now();
          const disk = await watchDisk(ground);
          const answer = await peer.call("search", { query: question });
          const code = mustFail(answer, ["EXECUTION_ERROR"]);
          must(says.test(answer.message), () => `the error says: ${answer.message.slice(0, 160)}`);
          const ms = performance.now() - from;
          const limit = AbortSignal.any([ground.signal, AbortSignal.timeout(5_000)]);
          await until(limit, async () => (await ground.runsOf(question)).alive.length === 0).catch(() => {
            throw new Error("the process is still there 5 s after the answer");
          });
          must(disk.mostMB() <= MOST_DISK_MB, () => `${Math.round(disk.mostMB())} MB on disk`);
          return `${code} after ${(ms / 1_000).toFixed(1)} s, ${Math.round(disk.mostMB())} MB on disk`;
        },
      }),
    ),
    {
      name: "a daemon",
      sent: "an answer, and a process in a session of its own",
      expected: "answered; the process is gone after 5 s",
      withinMs: 20_000,
      steps: () => [{ do: "daemon" }, ...answered(JSON.stringify({ success: true, report: "Tides", metadata: {} }))],
      async play(ground) {
        const question = ground.ownQuestion();
        const peer = await ground.open();
        mustComplete(await peer.call("search", { query: question }));
        ground.later(async () => {
          for (const pid of (await ground.runsOf(question)).alive) process.kill(pid, "SIGKILL");
        });
        const limit = AbortSignal.any([ground.signal, AbortSignal.timeout(5_000)]);
        await until(limit, async () => (await ground.runsOf(question)).alive.length === 0).catch(() => {
          throw new Error("it is still there");
        });
        return "gone";
      },
    },
  ],
};

/** The most that is written beyond what was there before. */
async function watchDisk({ diskBytes, later }: Ground): Promise<{ mostMB(): number }> {
  const before = await diskBytes();
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, (await diskBytes()) - before);
  }, 200);
  later(() => clearInterval(timer));
  return { mostMB: () => most / 1e6 };
}
