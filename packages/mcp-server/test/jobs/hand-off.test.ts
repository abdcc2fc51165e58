import { ResearchError } from "@x/research";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CallEnd } from "../../src/jobs/wait.js";
import { answerOf, type Connected, connect, textOf } from "../support/connect.js";
import { deepReport, fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { type PersonsJobs, personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

afterEach(() => {
  vi.useRealTimers();
});

const query = "why is the sky blue";
const deepSearch = { name: "deep_search", arguments: { query } };

/** Asks with a client that gives up after some milliseconds, as the official one does. */
async function giveUpOn({ client, research }: Connected, call = deepSearch): Promise<void> {
  const asked = research.asked.length;
  const gone = client.callTool(call, undefined, { timeout: 200 });
  await research.hasAsked(asked + 1);
  await expect(gone).rejects.toThrow("Request timed out");
}

/** Asks with a client that cancels its call for this reason once the research has begun. */
async function cancelWith(reason: string, { client, research }: Connected): Promise<void> {
  const gone = new AbortController();
  const call = client.callTool(deepSearch, undefined, { signal: gone.signal });
  await research.hasAsked(1);
  gone.abort(reason);
  await expect(call).rejects.toThrow();
}

describe("when the client's own time is over", () => {
  test("the work goes on, and the same question joins it and says so", async () => {
    const connected = await connect();
    await giveUpOn(connected);
    const { client, research } = connected;
    const again = client.callTool(deepSearch);
    research.finish(deepReport());
    expect(answerOf(await again)).toMatchObject({
      status: "completed",
      metadata: { continued: expect.stringMatching(/^Joined the running research of this question, asked 20/) },
    });
    expect(research.asked).toHaveLength(1);
  });

  test("a report that is finished then is given to whoever asks again, once", async () => {
    const connected = await connect();
    await giveUpOn(connected, { name: "search", arguments: { query } });
    const { client, research, jobs } = connected;
    research.finish(searchReport("late"));
    await expect.poll(async () => (await jobs.list(1))[0]?.state).toBe("completed");
    const again = await client.callTool({ name: "search", arguments: { query } });
    expect(answerOf(again)).toMatchObject({
      result: "late",
      metadata: { continued: expect.stringContaining("finished after that call had given up") },
    });
    expect(textOf(again)).toContain("given up");
    const third = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(2);
    research.finish(searchReport("new"));
    expect(answerOf(await third)).toMatchObject({ result: "new", metadata: { query } });
  });

  test("a running answer says how to go on, and the next calls are shorter than the client's time", async () => {
    const connected = await connect({ name: "claude-code" });
    await giveUpOn(connected);
    const answer = answerOf(await connected.client.callTool(deepSearch, undefined, { timeout: 60_000 }));
    expect(answer).toMatchObject({ status: "running", metadata: { continued: expect.stringContaining("Joined") } });
  });

  test("a person's cancel afterwards ends it all the same: nobody was told its id", async () => {
    const connected = await connect();
    await giveUpOn(connected);
    const { client, jobs } = connected;
    const enough = new AbortController();
    const again = client.callTool(deepSearch, undefined, { signal: enough.signal });
    await expect.poll(async () => (await jobs.list(1))[0]?.state).toBe("running");
    enough.abort("Esc");
    await expect(again).rejects.toThrow("Esc");
    await expect.poll(async () => (await jobs.list(1))[0]?.state).toBe("cancelled");
  });

  test.each([
    ["SdkError: Request timed out"],
    ["McpError: MCP error -32001: Request timed out"],
    ["request timeout"],
    ["context deadline exceeded"],
    ["The call exceeded its limit of 60000 ms"],
  ])("%s is such an end", async (reason) => {
    const connected = await connect();
    await cancelWith(reason, connected);
    const { client, research, jobs } = connected;
    const again = client.callTool(deepSearch);
    research.finish(deepReport());
    expect(answerOf(await again)).toMatchObject({ status: "completed" });
    expect((await jobs.list(9)).map(({ state }) => state)).toEqual(["completed"]);
  });

  test.each(["MCP request cancelled by caller", "AbortError: The operation was aborted.", ""])(
    "%j is none: the person cancels",
    async (reason) => {
      const connected = await connect();
      await cancelWith(reason, connected);
      const { jobs } = connected;
      await expect.poll(async () => (await jobs.list(1))[0]?.state).toBe("cancelled");
    },
  );
});

describe("the same question, asked again", () => {
  const oneRound = [
    { type: "round-start", round: 1, of: 5 },
    { type: "round-end", round: 1, verified: false, result: "so far" },
    { type: "round-start", round: 2, of: 5 },
  ] as const;

  test("goes on after the last finished round in the next server, under the same id, and says so", async () => {
    const disk = { files: createMemoryFiles() };
    const before = await connect(disk);
    const call = before.client.callTool(deepSearch);
    await before.research.hasAsked(1);
    before.research.tell(...oneRound);
    await expect.poll(async () => (await before.jobs.list(1))[0]?.activity.roundsDone).toBe(1);
    await before.jobs.close();
    const { job_id } = answerOf(await call);

    const after = await connect({ ...disk, pid: 2 });
    const again = after.client.callTool(deepSearch);
    await after.research.hasAsked(1);
    expect(after.research.asked).toEqual([{ tool: "deep_search", request: { query }, resume: "research-1" }]);
    after.research.finish(deepReport());
    expect(answerOf(await again)).toMatchObject({
      job_id,
      metadata: { continued: expect.stringMatching(/^Goes on after round 1 of the research of this question/) },
    });
  });

  test("goes on after a cancel too, where a round was finished", async () => {
    const { client, research, jobs } = await connect();
    const gone = new AbortController();
    const call = client.callTool(deepSearch, undefined, { signal: gone.signal });
    await research.hasAsked(1);
    research.tell(...oneRound);
    await expect.poll(async () => (await jobs.list(1))[0]?.activity.roundsDone).toBe(1);
    gone.abort("MCP request cancelled by caller");
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await jobs.list(1))[0]?.state).toBe("cancelled");
    const [cancelled] = await jobs.list(1);
    const told = await client.callTool({ name: "research_result", arguments: { job_id: cancelled?.id } });
    expect(answerOf(told)).toMatchObject({
      error: { details: expect.stringMatching(/^Ask the same question again within 24 hours: .* last finished round/) },
    });
    const again = client.callTool(deepSearch);
    await research.hasAsked(2);
    expect(research.asked[1]?.resume).toBe("research-1");
    research.finish(deepReport());
    expect(answerOf(await again)).toMatchObject({ success: true, status: "completed" });
    expect((await jobs.list(9)).map(({ state }) => state)).toEqual(["completed"]);
  });

  test("joins the job of another server", async () => {
    const disk = { files: createMemoryFiles() };
    const one = await connect({ ...disk, pid: 1 });
    const { job_id } = answerOf(await one.client.callTool({ name: "search", arguments: { query, wait_seconds: 0 } }));
    await one.research.hasAsked(1);
    const two = await connect({ ...disk, pid: 2, isAlive: () => true });
    const waiting = two.client.callTool({ name: "search", arguments: { query } });
    one.research.finish();
    expect(answerOf(await waiting)).toMatchObject({
      job_id,
      metadata: { continued: expect.stringContaining("Joined") },
    });
    expect(two.research.asked).toEqual([]);
  });

  test("many at once start one research, and none of them is told of another", async () => {
    const { client, research } = await connect();
    const calls = Array.from({ length: 8 }, () => client.callTool(deepSearch));
    await research.hasAsked(1);
    research.finish(deepReport());
    const answers = (await Promise.all(calls)).map(answerOf);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).not.toHaveProperty("metadata.continued");
    expect(research.asked).toHaveLength(1);
  });

  test("joins the call of a client that gave up without a word, and says so", async () => {
    let nowMs = Date.now();
    const { jobs, research } = local({ now: () => nowMs });
    const { job } = await jobs.start("search", { query });
    void jobs.wait(job, { waitMs: undefined, signal: new AbortController().signal });
    await research.hasAsked(1);
    nowMs += 5_000;
    expect(await jobs.start("search", { query })).toEqual({ job, earlier: expect.objectContaining({ how: "joined" }) });
    research.finish();
  });

  test("is researched anew when the report is older than an hour, or the rounds than a day", async () => {
    let nowMs = Date.now();
    const { jobs, research } = local({ now: () => nowMs });
    const { job } = await jobs.start("search", { query });
    await research.hasAsked(1);
    research.finish();
    await job.ended();
    nowMs += 3_600_001;
    expect((await jobs.start("search", { query })).earlier).toBeUndefined();

    await jobs.start("deep_search", { query });
    await research.hasAsked(3);
    nowMs += 1;
    await jobs.close();
    nowMs += 24 * 3_600_001;
    expect((await jobs.start("deep_search", { query })).earlier).toBeUndefined();
  });
});

/** Jobs without a client. */
function local(options: { now?: () => number; closedMs?: number } = {}) {
  const research = fakeResearch();
  const files = createMemoryFiles();
  const jobs = personsJobs({ research: async () => research, files, log: () => {}, own: processOf(1), ...options });
  return { research, jobs };
}

/** A call that ends in some way. */
async function callThatEnds(jobs: PersonsJobs, end: CallEnd) {
  const { job } = await jobs.start("deep_search", { query });
  expect(await jobs.wait(job, { waitMs: undefined, signal: AbortSignal.abort(end) })).toBe(end);
  return job;
}

describe("a job that nobody waits for", () => {
  test("whose connection broke is cancelled, unless somebody asks again in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { jobs, research } = local();
    const job = await callThatEnds(jobs, "closed");
    vi.advanceTimersByTime(14_000);
    const { job: same } = await jobs.start("deep_search", { query });
    expect(same).toBe(job);
    const waiting = jobs.wait(same, { waitMs: undefined, signal: new AbortController().signal });
    vi.advanceTimersByTime(60_000);
    research.finish(deepReport());
    expect(await waiting).toBe("ended");
    expect(job.record.state).toBe("completed");

    const other = await callThatEnds(jobs, "closed");
    vi.advanceTimersByTime(15_000);
    await other.ended();
    expect(other.record.state).toBe("cancelled");
  });

  test("is interrupted after an hour, and its finished rounds are kept", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { jobs, research } = local();
    const job = await callThatEnds(jobs, "timed-out");
    vi.advanceTimersByTime(3_599_000);
    expect(research.running).toBe(1);
    vi.advanceTimersByTime(1_000);
    await job.ended();
    expect(job.record).toMatchObject({ state: "interrupted", researchId: "research-1" });
    const { job: again } = await jobs.start("deep_search", { query });
    expect(again.record.id).toBe(job.record.id);
    await research.hasAsked(2);
    expect(research.asked[1]?.resume).toBe("research-1");
  });
});

describe("resume", () => {
  test("runs a research that failed again, when its cause may be gone", async () => {
    const { jobs, research } = local();
    const { job } = await jobs.start("deep_search", { query });
    await research.hasAsked(1);
    research.fail(new ResearchError("AUTH_REQUIRED", "not signed in"));
    await job.ended();
    expect((await jobs.find(job.record.id))?.record.failure).toMatchObject({ code: "AUTH_REQUIRED" });
    const again = await jobs.resume(job.record.id);
    await research.hasAsked(2);
    // Its rounds failed with it.
    expect(research.asked[1]).toEqual({ tool: "deep_search", request: { query }, resume: undefined });
    research.finish(deepReport());
    await again?.ended();
    expect(again?.record).toMatchObject({ id: job.record.id, state: "completed" });
    expect(again?.record).not.toHaveProperty("failure");
  });

  test("gives a finished report, and joins what runs", async () => {
    const { jobs, research } = local();
    const { job } = await jobs.start("search", { query });
    expect(await jobs.resume(job.record.id)).toBe(job);
    await research.hasAsked(1);
    research.finish();
    await job.ended();
    expect((await jobs.resume(job.record.id))?.record.state).toBe("completed");
    expect(research.asked).toHaveLength(1);
    expect(await jobs.resume("search-0000000000")).toBeUndefined();
  });
});
