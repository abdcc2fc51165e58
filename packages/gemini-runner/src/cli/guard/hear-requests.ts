import { subscribe } from "node:diagnostics_channel";
import type { ApiFailure } from "../../errors/api-failure.js";
import type { Pipe } from "./pipe.js";

/**
 * How many requests in a row, each made within {@link NO_PAUSE_MS} after one like it was answered with 429, are no honest
 * retry, which waits seconds, nor searches made together. However slow the API answers, the runaway makes no pause.
 */
const RUNAWAY_REQUESTS = 10;
const NO_PAUSE_MS = 100;

export interface HearRequestsOptions extends Pipe {
  /** Hears the path of every request to the API. */
  onRequest(path: string): void;
}

/**
 * Hears every request to the API, which is made through fetch with a key and, depending on the version, through http with
 * a login. Tells of those that fail, and ends a CLI that repeats one without a pause. Other requests are no concern of it.
 */
export function hearRequests({ say, endGroup, onRequest }: HearRequestsOptions): void {
  const refused = new Map<string, { inARow: number; at: number }>();
  const fail = (failure: ApiFailure) => say({ type: "failure", failure });
  const asked = (path: string) => {
    onRequest(path);
    const last = refused.get(path);
    if (last === undefined || performance.now() - last.at > NO_PAUSE_MS) return;
    if (++last.inARow < RUNAWAY_REQUESTS) return;
    fail({ path, status: 429, runaway: true });
    endGroup();
  };
  const answered = (path: string, status: number) => {
    if (status >= 400) fail({ path, status });
    if (status === 429) refused.set(path, { inARow: refused.get(path)?.inARow ?? 0, at: performance.now() });
    else refused.delete(path);
  };
  for (const channel of ["undici:request:create", "http.client.request.start"]) hear(channel, asked);
  for (const channel of ["undici:request:headers", "http.client.response.finish"]) {
    hear(channel, (path, { response }) => {
      if (response !== undefined) answered(path, response.statusCode);
    });
  }
  for (const channel of ["undici:request:error", "http.client.request.error"]) {
    hear(channel, (path, { error }) => fail({ path, code: error?.code ?? error?.name ?? "unknown" }));
  }
}

/** What Node's channels say, as far as it is read here. */
interface ChannelMessage {
  request: { path: string };
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
