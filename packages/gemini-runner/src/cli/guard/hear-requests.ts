import { subscribe } from "node:diagnostics_channel";
import type { ApiFailure } from "../../errors/api-failure.js";
import type { CurrentRun, RunContext, SayOfRun } from "./run-context.js";

/**
 * How many requests in a row, each made within {@link NO_PAUSE_MS} after one like it was answered with 429, are no honest
 * retry, which waits seconds, nor searches made together. However slow the API answers, the runaway makes no pause.
 */
const RUNAWAY_REQUESTS = 10;
const NO_PAUSE_MS = 100;

export interface HearRequestsOptions {
  currentRun: CurrentRun;
  say: SayOfRun;
  /** Hears the path of every request of a run to the API. */
  onRequest(run: RunContext, path: string): void;
  /** Ends a run that repeats a refused request without a pause. */
  onRunaway(run: RunContext): void;
}

/**
 * Hears every request to the API, which is made through fetch with a key and, depending on the version, through http with
 * a login. Tells of those that fail, and of a run that repeats one without a pause. Other requests are no concern of it.
 */
export function hearRequests({ currentRun, say, onRequest, onRunaway }: HearRequestsOptions): void {
  /** Whose requests they are: what comes of one is not told where it was made. */
  const runs = new WeakMap<object, RunContext>();
  const fail = (run: RunContext, failure: ApiFailure) => say(run, { type: "failure", failure });
  const asked = (run: RunContext, path: string) => {
    onRequest(run, path);
    const last = run.refused.get(path);
    if (run.runaway || last === undefined || performance.now() - last.at > NO_PAUSE_MS) return;
    if (++last.inARow < RUNAWAY_REQUESTS) return;
    run.runaway = true;
    fail(run, { path, status: 429, runaway: true });
    onRunaway(run);
  };
  const answered = (run: RunContext, path: string, status: number) => {
    if (status >= 400) fail(run, { path, status });
    if (status === 429) run.refused.set(path, { inARow: run.refused.get(path)?.inARow ?? 0, at: performance.now() });
    else run.refused.delete(path);
  };
  for (const channel of ["undici:request:create", "http.client.request.start"]) {
    hear(channel, (path, { request }) => {
      const run = currentRun();
      if (run === undefined) return;
      runs.set(request, run);
      asked(run, path);
    });
  }
  for (const channel of ["undici:request:headers", "http.client.response.finish"]) {
    hear(channel, (path, { request, response }) => {
      const run = runs.get(request);
      if (run !== undefined && response !== undefined) answered(run, path, response.statusCode);
    });
  }
  for (const channel of ["undici:request:error", "http.client.request.error"]) {
    hear(channel, (path, { request, error }) => {
      const run = runs.get(request);
      if (run === undefined) return;
      const origin = originOf(request);
      const code = error?.code ?? error?.name ?? "unknown";
      fail(run, { path, code, ...(origin === undefined || GOOGLES_OWN.test(origin) ? {} : { origin }) });
    });
  }
}

/** Of fetch with `origin`, of http with the other two. */
interface ChannelRequest {
  path: string;
  origin?: string | URL;
  protocol?: string;
  getHeader?(name: string): unknown;
}

const GOOGLES_OWN = /^https:\/\/[\w.-]+\.googleapis\.com(?::443)?$/;

function originOf(request: ChannelRequest): string | undefined {
  const { origin = `${request.protocol}//${request.getHeader?.("host")}` } = request;
  return URL.canParse(String(origin)) ? new URL(origin).origin : undefined;
}

/** What Node's channels say, as far as it is read here. */
interface ChannelMessage {
  request: ChannelRequest;
  response?: { statusCode: number };
  error?: { code?: string; name?: string };
}

const API_PATH = /\/(?:models\/[^/]+|v1internal):\w+$/;

function hear(channel: string, tell: (path: string, message: ChannelMessage) => void): void {
  subscribe(channel, (message) => {
    const path = String((message as ChannelMessage).request.path).split("?")[0] ?? "";
    if (API_PATH.test(path)) tell(path, message as ChannelMessage);
  });
}
