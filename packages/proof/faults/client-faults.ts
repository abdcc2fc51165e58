import { setTimeout as sleep } from "node:timers/promises";
import { text } from "@x/gemini-runner/testing";
import { type Fault, ofGroup } from "./fault.js";
import { answersAgain, CANCEL_LIMIT_MS, check, endsSoon, inTime, nothingRuns, seconds } from "./plays.js";
import { type Answer, type Connected, REPORT, type ToolName, type World, wellAnswered } from "./world.js";

/** Each fault happens at this many random moments of a call, one after the other. */
const MOMENTS = 3;
/** A call takes about this long on a machine that is not busy. */
const CALL_MS = 3_000;

/** What the client does in the middle of a call. Gives how long it took until all was over, in ms. */
type Act = (world: World, connected: Connected, call: Call, afterMs: number) => Promise<number>;

interface Call {
  tool: ToolName;
  answer: Promise<Answer>;
  /** With `research_result`. */
  jobId: string | undefined;
  abort: AbortController;
}

function atRandomMoments(name: string, by: string, act: Act, withinMs: number): Omit<Fault, "group"> {
  return {
    name,
    by: `${by}, at ${MOMENTS} random moments of a call`,
    withinMs,
    async play(world, tool, limitMs) {
      const times: string[] = [];
      const moments: string[] = [];
      for (let i = 0; i < MOMENTS; i++) {
        slowly(world);
        const connected = await world.connect();
        const jobId = tool === "research_result" ? await world.begin(connected.client) : undefined;
        const abort = new AbortController();
        const answer =
          jobId === undefined
            ? world.ask(connected.client, tool, abort.signal)
            : world.call(connected.client, "research_result", { job_id: jobId }, abort.signal);
        // Whether it is answered is up to the moment.
        answer.catch(() => {});
        const afterMs = Math.random() * CALL_MS;
        const ms = await act(world, connected, { tool, answer, jobId, abort }, afterMs);
        inTime(world, ms, limitMs);
        times.push(seconds(ms));
        moments.push(seconds(afterMs));
      }
      return `all gone in ${times.join(", ")} (after ${moments.join(", ")})`;
    },
  };
}

function ofStdio(...fault: Parameters<typeof atRandomMoments>): Omit<Fault, "group"> {
  return { ...atRandomMoments(...fault), overStdio: true };
}

/** An answer that takes a while, so that a moment may fall into it. */
function slowly({ model }: World): void {
  const answer = JSON.stringify({ success: true, verified: true, report: REPORT, metadata: {} });
  model.use(({ kind }) => (kind === "main" ? text(answer, { chunkLength: 20, everyMs: 300 }) : undefined));
}

/** The client goes, the server ends by itself, and the next one goes on with what was not finished. */
function goneBy(leave: (connected: Connected) => void): Act {
  return async (world, connected, { tool, jobId }, afterMs) => {
    await sleep(afterMs);
    const from = performance.now();
    leave(connected);
    await endsSoon(world, connected, from);
    await nothingRuns(world, []);
    const ms = performance.now() - from;
    world.model.use(wellAnswered);
    const next = await world.connect();
    if (jobId !== undefined) {
      check(world, tool, await world.call(next.client, "research_result", { job_id: jobId }), { success: true });
    }
    await answersAgain(world, next.client);
    await world.end(next);
    return ms;
  };
}

const cancel: Act = async (world, connected, { tool, answer, jobId, abort }, afterMs) => {
  const { client, server } = connected;
  await sleep(afterMs);
  const from = performance.now();
  abort.abort("The person changed their mind");
  const outcome = await answer.catch(() => undefined);
  if (outcome?.success === false) world.problems.push(`the call failed: ${JSON.stringify(outcome.error)}`);
  // Who waits no longer for a job has not called it off.
  if (jobId !== undefined) {
    check(world, tool, await world.call(client, "research_cancel", { job_id: jobId }), { success: true });
  }
  await nothingRuns(world, [server.pid], CANCEL_LIMIT_MS);
  const ms = performance.now() - from;
  world.model.use(wellAnswered);
  await answersAgain(world, client);
  await world.end(connected);
  return ms;
};

export const clientFaults = ofGroup("The client", [
  atRandomMoments(
    "cancel",
    "`notifications/cancelled`, and `research_cancel` for what `research_result` waited for",
    cancel,
    CANCEL_LIMIT_MS,
  ),
  ofStdio(
    "EOF",
    "stdin ends",
    goneBy(({ server }) => void server.child.stdin.end()),
    2_000,
  ),
  ofStdio(
    "EPIPE",
    "nobody reads stdout any more, and stdin stays open",
    goneBy(({ server, client }) => {
      server.child.stdout.destroy();
      // The answer to it meets the broken pipe.
      client.ping({ timeout: 1_000 }).catch(() => {});
    }),
    2_000,
  ),
  atRandomMoments(
    "SIGTERM",
    "the server is asked to end",
    goneBy(({ server }) => void server.child.kill("SIGTERM")),
    2_000,
  ),
]);
