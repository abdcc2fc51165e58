import { type HttpErrorName, httpError, json, raw, reset, search, silence, text } from "@x/gemini-runner/testing";
import { answered } from "../rig/fake-gemini.js";
import { type Expected, failed, hasReport, ofGroup } from "./fault.js";
import { during, ofModel } from "./plays.js";
import { REPORT, TOOLS } from "./world.js";

const AGAIN = /again|later|wait/i;
const CONNECTION = /connection|network|proxy/i;

function ofHttpError(name: HttpErrorName, expected: Expected, retryAfterMs?: number) {
  const options = retryAfterMs === undefined ? {} : { retryAfterMs };
  return ofModel(() => httpError(name, options), expected);
}

export const apiFaults = ofGroup("The API", [
  {
    name: "429, the minute",
    by: "model server: a `PerMinute` quota, again in 2 s",
    withinMs: 15_000,
    play: ofHttpError("quota-minute", failed("QUOTA_EXCEEDED", /minute[\s\S]*(wait|again)/i), 2_000),
  },
  {
    name: "429, the day",
    by: "model server: a `PerDay` quota",
    withinMs: 15_000,
    play: ofHttpError("quota-day", failed("QUOTA_EXCEEDED", /da(y|ily)[\s\S]*(wait|GEMINI_MODEL)/i)),
  },
  {
    name: "429, the day, on a search",
    tools: TOOLS,
    by: "model server: the search inside a run is refused; no model is set",
    withinMs: 30_000,
    play: during({
      arrange({ model, env }) {
        delete env["GEMINI_MODEL"];
        model.use(({ kind, turn }) => {
          if (kind === "search") return httpError("quota-day");
          if (kind !== "main") return undefined;
          return turn === 0 ? search("tides") : json({ success: true, verified: true, report: REPORT, metadata: {} });
        });
      },
      held: ({ model }) => model.waitFor("search"),
      expected: failed("QUOTA_EXCEEDED", /wait|GEMINI_MODEL/i),
      inspect({ model, problems }) {
        const count = model.requests.filter(({ kind }) => kind === "search").length;
        if (count > 100) problems.push(`${count} requests for one search reached the API`);
      },
    }),
  },
  {
    name: "500",
    by: "model server",
    withinMs: 20_000,
    play: ofHttpError("server", failed("EXECUTION_ERROR", AGAIN)),
  },
  {
    name: "503",
    by: "model server",
    withinMs: 20_000,
    play: ofHttpError("unavailable", failed("EXECUTION_ERROR", AGAIN)),
  },
  {
    name: "reset",
    by: "model server: TCP reset",
    withinMs: 20_000,
    play: ofModel(() => reset(), failed("EXECUTION_ERROR", CONNECTION)),
  },
  {
    name: "refused",
    by: "nothing listens at the API's address",
    withinMs: 20_000,
    play: during({
      arrange: ({ env }) => {
        env["GOOGLE_GEMINI_BASE_URL"] = "http://127.0.0.1:1";
      },
      heal: ({ sandbox }) => sandbox.installFake(answered(JSON.stringify({ success: true, report: REPORT }))),
      expected: failed("EXECUTION_ERROR", CONNECTION),
    }),
  },
  {
    name: "silence",
    tools: TOOLS,
    by: "model server: takes the request and says nothing; `GEMINI_SEARCH_TIMEOUT` 8 s",
    withinMs: 12_000,
    play: ofModel(() => silence(), failed("EXECUTION_ERROR", /GEMINI_SEARCH_TIMEOUT/), {
      arrange({ model, env }) {
        env["GEMINI_SEARCH_TIMEOUT"] = "8000";
        model.use(({ kind }) => (kind === "main" ? silence() : undefined));
      },
    }),
  },
  {
    name: "slow trickle",
    tools: TOOLS,
    by: "model server: a few letters every 150 ms",
    withinMs: 30_000,
    play: ofModel(
      () =>
        text(JSON.stringify({ success: true, verified: true, report: REPORT, metadata: {} }), {
          chunkLength: 8,
          everyMs: 150,
        }),
      { success: true, holds: hasReport(REPORT) },
    ),
  },
  {
    name: "cut stream",
    by: "model server: the connection breaks in the middle of an answer",
    withinMs: 30_000,
    play: ofModel(
      () => [...text('{"success": true, "report": "The tides'), reset()],
      failed("EXECUTION_ERROR", CONNECTION),
    ),
  },
  {
    name: "no API at all",
    by: "model server: a page of HTML with status 200",
    withinMs: 20_000,
    play: ofModel(
      () => raw("<!doctype html><title>Sign in to the hotel's network</title>"),
      failed("EXECUTION_ERROR", AGAIN),
    ),
  },
]);
