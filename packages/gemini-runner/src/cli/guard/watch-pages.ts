import type { CurrentRun, RunContext, SayOfRun } from "./run-context.js";

/** How the CLI calls itself when it reads a page; other requests are none of these. */
const READER = "Google-Gemini-CLI/";

/** The CLI refuses a page of more. */
const MAX_BYTES = 10 * 1024 * 1024;

export interface WatchPagesOptions {
  currentRun: CurrentRun;
  /** How long pages may be read one after another, in milliseconds. */
  budgetMs: number;
  say: SayOfRun;
}

/** What is read from now on is another series: the API was asked. */
export function beginPages(run: RunContext): void {
  run.pagesEndAt = undefined;
  run.tried.clear();
}

/**
 * Watches the pages that the CLI reads by itself, when Google could not. It would try one that does not come ten times over
 * four minutes, and wait for the rest of one that stops in the middle for five. Here a page is given a second try when it
 * was busy or not to be reached, but none when it kept silent, and all pages of one call of a tool share a budget of time.
 * The tool ends, and the run goes on.
 *
 * Requests of a run that repeats itself without a pause are not let out any more.
 */
export function watchPages({ currentRun, budgetMs, say }: WatchPagesOptions): void {
  const { fetch } = globalThis;

  async function read(run: RunContext, url: string, init: RequestInit): Promise<Response> {
    run.pagesEndAt ??= performance.now() + budgetMs;
    const leftMs = Math.ceil(run.pagesEndAt - performance.now());
    if (leftMs <= 0) giveUp(run, url, "The pages before it took all the time");
    const signal = withTimeout(init.signal, leftMs);
    const isLast = run.tried.has(url);
    run.tried.add(url);
    try {
      const response = await whole(await fetch(url, { ...init, signal }));
      if (response.ok) say(run, { type: "page", page: { url, read: true } });
      else giveUp(run, url, `It answered ${response.status}`, isLast);
      return response;
    } catch (error) {
      if (error instanceof PageError) throw error;
      if (signal.aborted) giveUp(run, url, "It did not answer in time");
      else giveUp(run, url, reasonOf(error), isLast);
      throw error;
    }
  }

  /** Tells that a page could not be read, and ends the tries unless there is one more. */
  function giveUp(run: RunContext, url: string, message: string, isLast = true): void {
    say(run, { type: "page", page: { url, read: false, message } });
    if (isLast) throw new PageError(message);
  }

  globalThis.fetch = (input, init) => {
    const run = currentRun();
    if (run?.runaway) return held(init?.signal);
    return run !== undefined && init !== undefined && isPageRead(init)
      ? read(run, urlOf(input), init)
      : fetch(input, init);
  };
}

/** Ends when its signal fires, and not before. */
function held(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal?.aborted) reject(signal.reason);
  });
}

/** The CLI tries again for some codes of the system and some answers. This has neither. */
class PageError extends Error {}

function isPageRead({ headers }: RequestInit): boolean {
  return headers !== undefined && (new Headers(headers).get("user-agent")?.includes(READER) ?? false);
}

function urlOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}

function withTimeout(signal: AbortSignal | null | undefined, ms: number): AbortSignal {
  const own = Number.isFinite(ms) ? [AbortSignal.timeout(Math.max(0, ms))] : [];
  return AbortSignal.any(signal ? [signal, ...own] : own);
}

/** The same response with its whole body, so that one that stops in the middle is noticed here. */
async function whole(response: Response): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}

/** A cause may have a cause. */
const MAX_CAUSES = 5;

/** What is behind the `fetch failed` of Node: the first code of the system or of the client, else the innermost words. */
function reasonOf(error: unknown): string {
  let words = String(error);
  let inner = error;
  for (let depth = 0; depth < MAX_CAUSES && inner instanceof Error; depth++) {
    const { code, message, cause } = inner as Error & { code?: unknown };
    if (typeof code === "string") return `It could not be reached (${code})`;
    words = message;
    inner = cause;
  }
  return `It could not be reached (${words})`;
}
