/** More of everything than one server can do at once, and clients that do not wait for it. */
import { must } from "../../fuzz/target.js";
import type { Abuse, Ground, Group } from "../ground.js";
import type { Peer } from "../peer.js";
import { begin, counted, inParallel, mustComplete, until } from "./expect.js";

const FLOOD = 2_000;
/** Sessions that may be open at once, and some more. */
const MOST_OPEN = 300;
/** Codes of a server that has enough to do. */
const BUSY = /^(?:QUOTA_EXCEEDED|EXECUTION_ERROR|BUSY|HTTP 429|HTTP 503|-32\d\d\d)$/;

export const CROWDS: Group = {
  name: "Crowds",
  abuses: [
    {
      name: "2,000 searches from one session",
      sent: "`search` with `wait_seconds: 0`, 50 at once, each 2 s of work",
      expected: "each accepted or told `busy`; a search of another session is answered within 10 s",
      withinMs: 90_000,
      alone: true,
      play: flood,
    },
    {
      name: "300 sessions that are never used",
      sent: "`initialize`, and nothing after it",
      expected: "a newcomer is let in and answered within 5 s",
      withinMs: 30_000,
      play: (ground) => newSessions(ground, 300, 10),
    },
    {
      name: "10,000 sessions",
      sent: "`initialize`, 50 at once, and nothing after it",
      expected: "each let in or told `busy`; a newcomer is answered within 5 s",
      withinMs: 60_000,
      play: (ground) => newSessions(ground, 10_000, 50),
    },
    {
      name: "200 calls for a report of 5 MB",
      sent: "`research_result`, all at once",
      expected: "each answered or told `busy`",
      withinMs: 60_000,
      async play(ground) {
        const job_id = await longReport(ground);
        const peer = await ground.open();
        const answers = await inParallel(Array.from({ length: 200 }), 200, async () => {
          const { success, code, result } = await peer.call("research_result", { job_id });
          return success && result !== "" ? "answered" : String(code);
        });
        const wrong = answers.filter((each) => each !== "answered" && !BUSY.test(each));
        must(wrong.length === 0 && answers.includes("answered"), () => counted(answers));
        return counted(answers);
      },
    },
    {
      name: "60 readers of a report of 5 MB",
      sent: "`resources/read`, all at once",
      expected: "each answered or told `busy`",
      withinMs: 60_000,
      async play(ground) {
        const jobId = await longReport(ground);
        const peer = await ground.open();
        const answers = await inParallel(Array.from({ length: 60 }), 60, async () => {
          const { reply, answer } = await peer.request("resources/read", { uri: `report://${jobId}` });
          const error = answer?.["error"] as { code: number; message: string } | undefined;
          return answer?.["result"] !== undefined ? "whole" : `${error?.code ?? `HTTP ${reply.status}`}`;
        });
        const wrong = answers.filter((each) => each !== "whole" && !BUSY.test(each));
        must(wrong.length === 0 && answers.includes("whole"), () => counted(answers));
        return counted(answers);
      },
    },
    {
      name: "searches that are cancelled",
      sent: "20 × `notifications/cancelled` for a search of a minute",
      expected: "none of their processes after 5 s",
      withinMs: 25_000,
      async play(ground) {
        const peer = await ground.open();
        const questions = Array.from({ length: 20 }, () => ground.question("hang"));
        await inParallel(questions, 20, async (query) => {
          const id = peer.nextId();
          const call = peer.call("search", { query }, { id }).catch(() => {});
          await pause(200 + Math.random() * 500);
          await peer.cancelled(id);
          // No answer is owed to a call that was cancelled.
          await Promise.race([call, pause(500)]);
        });
        return gone(ground, questions, 5_000);
      },
    },
    {
      name: "researches that are cancelled",
      sent: "10 × `research_cancel` for CLIs that ignore SIGTERM",
      expected: "none of their processes after 8 s",
      withinMs: 30_000,
      async play(ground) {
        const questions = Array.from({ length: 10 }, () => ground.question("stubborn"));
        const peer = await ground.open();
        await inParallel(questions, 10, async (query) => {
          const jobId = await begin(ground, query);
          await pause(300);
          const { success, code } = await peer.call("research_cancel", { job_id: jobId });
          must(success, () => `research_cancel: ${code}`);
        });
        return gone(ground, questions, 8_000);
      },
    },
    {
      name: "clients that vanish in a deep search",
      sent: "5 deep searches that are never verified; the connection breaks",
      expected: "at most 20 rounds each",
      withinMs: 30_000,
      async play(ground) {
        const questions = Array.from({ length: 5 }, () => ground.question("never"));
        await inParallel(questions, 5, async (query) => {
          const peer = await ground.open();
          const call = peer.call("deep_search", { query, max_iterations: 20 }, { timeoutMs: 700 });
          await call.catch(() => {});
        });
        await pause(15_000);
        const runs = await Promise.all(questions.map((question) => ground.runsOf(question)));
        const most = Math.max(...runs.map(({ started }) => started));
        must(most > 0, () => "nothing was started");
        must(most <= 20, () => `${most} runs for one question`);
        return `at most ${most} runs`;
      },
    },
    {
      name: "sessions that are ended in the middle",
      sent: "20 × `DELETE` while a search of the session runs",
      expected: "answered; the next search is, too",
      withinMs: 30_000,
      async play(ground) {
        await inParallel(Array.from({ length: 20 }), 20, async () => {
          const peer = await ground.open();
          void peer.call("search", { query: ground.question("slow") }).catch(() => {});
          await pause(100);
          await peer.close();
        });
        const peer = await ground.open();
        mustComplete(await peer.call("search", { query: ground.question("ok") }, { timeoutMs: 10_000 }));
        return "the next search is answered";
      },
    },
    stateless(),
  ],
};

/** Opens sessions that nobody uses, and then one that is. */
async function newSessions({ open, exchange, token, later }: Ground, count: number, atOnce: number): Promise<string> {
  const opened: unknown[] = [];
  const statuses = await inParallel(Array.from({ length: count }), atOnce, async () => {
    const { status, headers } = await exchange(initialize(token));
    opened.push(headers["mcp-session-id"]);
    return status;
  });
  // What comes after this must not meet a server that is closed by it. Those before the last hundreds are gone.
  later(() =>
    inParallel(opened.slice(-MOST_OPEN), 10, (id) =>
      exchange({ method: "DELETE", headers: { ...initialize(token).headers, "mcp-session-id": String(id) } }),
    ),
  );
  const wrong = statuses.filter((status) => ![200, 429, 503].includes(status));
  must(wrong.length === 0 && statuses.includes(200), () => counted(statuses));
  const startedAt = performance.now();
  const peer = await open();
  const { answer } = await peer.request("tools/list", {}, { timeoutMs: 5_000 });
  must(answer?.["result"] !== undefined, () => `a newcomer is answered ${JSON.stringify(answer).slice(0, 120)}`);
  const ms = performance.now() - startedAt;
  must(ms <= 5_000, () => `a newcomer waits ${Math.round(ms)} ms`);
  return `${counted(statuses)}; a newcomer in ${Math.round(ms)} ms`;
}

async function flood(ground: Ground): Promise<string> {
  const peer = await ground.open();
  const jobs: string[] = [];
  let stopped = false;
  ground.later(() => inParallel(jobs, 20, (job_id) => peer.call("research_cancel", { job_id }).catch(() => {})));
  const questions = Array.from({ length: FLOOD }, () => ground.question("slow"));
  const flooding = inParallel(questions, 50, async (query) => {
    if (stopped) return "not sent";
    const { jobId, code, success } = await peer.call("search", { query, wait_seconds: 0 });
    if (jobId !== undefined && success) jobs.push(jobId);
    return success ? "accepted" : String(code);
  });
  // Whatever ends this, it is waited for.
  flooding.catch(() => {});
  const other = await ground.open();
  try {
    await until(ground.signal, () => jobs.length >= 100 || ground.signal.aborted).catch(() => {});
    for (let i = 0; i < 3; i++) {
      const query = ground.question("ok");
      mustComplete(
        await other.call("search", { query }, { timeoutMs: 10_000 }).catch((error: Error) => {
          throw new Error(`another session, with ${jobs.length} accepted: ${error.message}`);
        }),
      );
    }
  } catch (error) {
    stopped = true;
    await flooding.catch(() => {});
    throw error;
  }
  const answers = await flooding;
  const wrong = answers.filter((answer) => answer !== "accepted" && !BUSY.test(answer));
  must(wrong.length === 0, () => counted(answers));
  return counted(answers);
}

/** Waits until no process of these questions is there. */
async function gone({ runsOf, signal }: Ground, questions: readonly string[], limitMs: number): Promise<string> {
  const from = performance.now();
  let [alive, started] = [0, 0];
  await until(signal, async () => {
    const runs = await Promise.all(questions.map(runsOf));
    alive = runs.reduce((sum, each) => sum + each.alive.length, 0);
    started = runs.filter((each) => each.started > 0).length;
    return alive === 0 || performance.now() - from > limitMs;
  });
  must(started > 0, () => "none of them was started");
  must(alive === 0, () => `${alive} processes after ${limitMs / 1_000} s`);
  return `${started} were running, all gone after ${((performance.now() - from) / 1_000).toFixed(1)} s`;
}

/** A finished research with a report of 5 MB in many lines. */
export async function longReport(ground: Ground): Promise<string> {
  const peer: Peer = await ground.open();
  const answer = await peer.call("search", { query: ground.question("long") });
  mustComplete(answer);
  return String(answer.jobId);
}

function initialize(token: string) {
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "siege", version: "1" } },
    }),
  };
}

/** The revision without sessions: each request says all about itself. */
function stateless(): Abuse {
  const version = "2026-07-28";
  const meta = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [meta("protocolVersion")]: version,
    [meta("clientInfo")]: { name: "siege", version: "1" },
    [meta("clientCapabilities")]: {},
  };
  return {
    name: "1,000 requests without a session",
    sent: `\`tools/list\` of revision ${version}, 50 at once`,
    expected: "each answered or told `busy`",
    withinMs: 30_000,
    async play({ exchange, token }) {
      const { headers } = initialize(token);
      const statuses = await inParallel(Array.from({ length: 1_000 }), 50, async () => {
        const { status } = await exchange({
          headers: { ...headers, "mcp-protocol-version": version, "mcp-method": "tools/list" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } }),
        });
        return status;
      });
      const wrong = statuses.filter((status) => ![200, 429, 503].includes(status));
      must(wrong.length === 0 && statuses.includes(200), () => counted(statuses));
      return counted(statuses);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
