import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { resultOf } from "@x/gemini-runner";
import { builtInPrompts, deepSearch, type ResearchDeps } from "@x/research";
import { createFileRunStore } from "@x/research/node";
import * as fc from "fast-check";
import { ANSWER } from "./answers.js";
import { bytesOf, garbled, mutated } from "./hostile.js";
import { openLiveServer } from "./live-server.js";
import { mustEndWell } from "./research-end.js";
import { scriptedRunner } from "./scripted-runner.js";
import { must, mustBeUnpolluted, type Target, UNCHECKED } from "./target.js";
import { mustBeAnswer } from "./tool-arguments.js";

export const roundRecords: Target = {
  name: "checkpoints of rounds",
  about:
    "Damaged files of a deep search that goes on: a report of the promised shape, or an error that names the file.",
  async open() {
    const directory = await mkdtemp(path.join(os.tmpdir(), "fuzz-rounds-"));
    const store = createFileRunStore({ directory });
    const runner = scriptedRunner(() => JSON.stringify(ANSWER));
    const deps: ResearchDeps = { runner, prompts: builtInPrompts, store, delaysMs: [] };
    // A real one to start from: two rounds that verified nothing.
    await resultOf(deepSearch({ query: "How high are the tides?", maxRounds: 2 }, deps), () => {});
    const [id = ""] = await store.list();
    const file = path.join(directory, `${id}.json`);
    const saved: unknown = JSON.parse(await readFile(file, "utf8"));
    const state = mutated(saved);
    const bytes = fc.oneof(
      { weight: 3, arbitrary: state.map((each) => bytesOf(JSON.stringify(each) ?? "")) },
      { weight: 1, arbitrary: garbled(state.map((each) => JSON.stringify(each) ?? "")) },
    );
    return {
      property: fc.asyncProperty(bytes, fc.integer({ min: 2, max: 4 }), async (text, maxRounds) => {
        await writeFile(file, text, "latin1");
        const error = await mustEndWell(resume(maxRounds));
        must(
          !/damaged|cannot be read/.test(error ?? "") || error?.includes(file) === true,
          () => `does not name the file: ${error}`,
        );
        mustBeUnpolluted();
      }),
      close: () => rm(directory, { recursive: true, force: true }),
    };

    function resume(maxRounds: number) {
      return resultOf(deepSearch({ query: undefined as unknown as string, resume: id, maxRounds }, deps), () => {});
    }
  },
};

const RECORD = {
  id: "search-0000000000",
  tool: "search",
  request: { query: "How high are the tides?" },
  state: "completed",
  pid: 1,
  place: "",
  createdAt: "2026-11-20T08:00:00.000Z",
  updatedAt: "2026-11-20T08:00:10.000Z",
  activity: { round: 1, rounds: 1, queries: ["tides"], pages: ["https://example.org/tides"] },
  report: {
    success: true,
    result: "# Tides\n\nSixteen metres.",
    metadata: {
      duration_ms: 1,
      query: "tides",
      model: "m",
      timestamp: "2026-11-20T08:00:10.000Z",
      sources_visited: ["https://example.org/tides"],
    },
  },
};

export const jobRecords: Target = {
  name: "records of jobs",
  about:
    "Damaged files of jobs that a client asks for: an answer of the contract's shape, and the list of reports stays readable.",
  async open() {
    const live = await openLiveServer();
    const folder = path.join(live.sandbox.config, "jobs");
    await mkdir(folder, { recursive: true });
    const record = fc
      .constantFrom(
        RECORD,
        { ...RECORD, state: "interrupted", report: undefined },
        { ...RECORD, state: "failed", report: undefined, failure: { code: "EXECUTION_ERROR", message: "It failed." } },
      )
      .chain((each) => mutated(JSON.parse(JSON.stringify(each))));
    let count = 0;
    return {
      property: fc.asyncProperty(
        fc.oneof(
          { weight: 3, arbitrary: record.map((each) => bytesOf(JSON.stringify(each) ?? "")) },
          { weight: 1, arbitrary: garbled(record.map((each) => JSON.stringify(each) ?? "")) },
        ),
        fc.constantFrom("research_result", "research_cancel"),
        async (bytes, tool) => {
          // Asked under a name of its own: what a server has read once it need not read again.
          const id = `search-${String(count++).padStart(10, "0")}`;
          const file = path.join(folder, `${id}.json`);
          await writeFile(file, bytes.replaceAll("search-0000000000", id), "latin1");
          await live.current();
          const args = tool === "research_result" ? { job_id: id, wait_seconds: 1 } : { job_id: id };
          const answer = (await live.request("tools/call", { name: tool, arguments: args })) as {
            result?: Record<string, unknown>;
          };
          must(answer.result !== undefined, () => `answered with ${JSON.stringify(answer)}`);
          mustBeAnswer(answer.result ?? {}, tool);
          const list = (await live.request("resources/list")) as { result?: { resources?: unknown } };
          must(Array.isArray(list.result?.resources), () => `resources/list gave ${JSON.stringify(list)}`);
          const read = JSON.stringify(await live.request("resources/read", { uri: `report://${id}` }));
          must(!UNCHECKED.test(read), () => `resources/read gave ${read}`);
          live.mustStand();
          await rm(file, { force: true });
        },
      ),
      close: () => live.close(),
    };
  },
};
