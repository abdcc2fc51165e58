/** What is tried with every host, and what must come of it. */
import { LAST_LINE, LINES } from "./long-report.mjs";

const ANSWER = "1543";
/** The host's own limit for a call, where one is tried. */
const LIMIT_MS = 5_000;

const isRunning = (text) => /"status\\?":\s*\\?"running/.test(text);
const jobIn = (text) => /"job_id\\?":\s*\\?"([\w-]+)/.exec(text)?.[1];
/** The number of the next page, where the answer names one. */
const nextIn = (text) => /Call research_result with \{[^}]*page\\*":\s*(\d+)/.exec(text)?.[1];
const again = (text, more = {}) => ({ tool: "research_result", args: { job_id: jobIn(text), ...more } });

/** As a careful model does: one call, then the result while it runs, then the pages. */
function following(tool, args) {
  return ({ asked, told }) => {
    if (asked.length === 0) return { tool, args };
    const last = told.at(-1) ?? "";
    if (isRunning(last)) return again(last);
    const page = nextIn(last);
    return page === undefined ? undefined : again(last, { page: Number(page) });
  };
}

function must(holds, what) {
  if (!holds) throw new Error(what);
}

/**
 * @typedef {{ title: string, options?: object, plugin?: boolean, plan: Parameters<typeof import("./fake-model.mjs").startFakeModel>[0], judge(outcome: import("./run-host.mjs").Outcome): string }} Play
 * @type {Play[]}
 */
export const PLAYS = [
  {
    title: "Answer",
    plan: following("search", { query: "When was the tower finished?" }),
    judge({ told }) {
      must(told[0]?.includes(ANSWER), `the model saw ${JSON.stringify(told[0]?.slice(0, 200))}`);
      must(told[0].split(ANSWER).length === 2, "the model saw the report more than once");
      return `${told[0].length} characters`;
    },
  },
  {
    title: "The host's own time-out",
    options: { limitMs: LIMIT_MS },
    plan({ asked, told }) {
      const args = { query: "slow-6 When was the tower finished?" };
      if (asked.length > 6) return undefined;
      const last = told.at(-1);
      if (last !== undefined && isRunning(last)) return again(last);
      return last?.includes(ANSWER) ? undefined : { tool: "deep_search", args };
    },
    judge({ told, runs }) {
      must(told.length > 1 && told.at(-1)?.includes(ANSWER), `the model saw ${JSON.stringify(told)}`);
      const how = /Joined|Goes on after round 1|finished after that call/.exec(told.join("\n"))?.[0];
      must(how !== undefined, "it does not say that it joined an earlier research");
      return `${how}; ${runs} runs for 2 rounds`;
    },
  },
  {
    title: "Error",
    options: { cli: "/nowhere/gemini" },
    plan: following("search", { query: "When was the tower finished?" }),
    judge({ told }) {
      must(told.length === 1 && told[0].includes("CLI_NOT_FOUND"), `the model saw ${JSON.stringify(told)}`);
      must(told[0].includes("Tell the user; do not retry."), "it does not say what to do");
      return "code and next step";
    },
  },
  {
    title: "A report of 100,000 characters",
    plan: following("search", { query: "long: all about the tower" }),
    judge({ told }) {
      const all = told.join("\n").replaceAll('\\\\"', '"').replaceAll('\\"', '"');
      const missing = LINES.filter((line) => !all.includes(line));
      must(missing.length === 0, `${missing.length} lines are missing, the first is ${missing[0]}`);
      must(all.includes(LAST_LINE), "the last line is missing");
      return told.length === 1 ? "whole" : `whole, in ${told.length} pages`;
    },
  },
  {
    title: "Its plugin",
    plugin: true,
    plan: following("search", { query: "When was the tower finished?" }),
    judge({ listed, told }) {
      must(/\bresearch\b/.test(listed ?? ""), `it lists ${JSON.stringify(listed)}`);
      must(told[0]?.includes(ANSWER), `the model saw ${JSON.stringify(told[0]?.slice(0, 200))}`);
      return "installed, listed, answers";
    },
  },
  {
    title: "One more look at a running research",
    plan({ asked, told }) {
      if (asked.length === 0) {
        return { tool: "deep_search", args: { query: "slow-3 When was the tower finished?", wait_seconds: 4 } };
      }
      const last = told.at(-1) ?? "";
      return isRunning(last) ? again(last, told.length === 1 ? { wait_seconds: 0 } : {}) : undefined;
    },
    judge({ told }) {
      must(told.length === 3 && isRunning(told[1] ?? ""), `the model saw ${JSON.stringify(told)}`);
      must(told[2].includes(ANSWER), "there was no answer in the end");
      return `${told[1].length} characters`;
    },
  },
];
