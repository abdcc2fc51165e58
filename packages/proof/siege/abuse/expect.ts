import { must, UNCHECKED } from "../../fuzz/target.js";
import type { Ground } from "../ground.js";
import type { Answer } from "../peer.js";

/** Codes of a call that was not even begun. */
const REFUSED = ["INVALID_INPUT", "-32600", "-32602", "HTTP 413"];
/** More is not read. */
const LONGEST_ERROR = 4_000;

/** The call was not begun, and the answer says why. */
export function mustRefuse(answer: Answer): string {
  const { code, success, status } = answer;
  must(code !== undefined, () => (success ? `accepted: ${status}` : "no answer"));
  return mustFail(answer, REFUSED);
}

/** The call failed with one of these codes, and says so clearly. Gives the code. */
export function mustFail({ code, message, success, status }: Answer, codes: readonly string[]): string {
  must(!success, () => `answered as if all were well: ${status ?? "completed"}`);
  must(codes.includes(String(code)), () => `${code}: ${message.slice(0, 200)}`);
  must(message.trim() !== "" && message.length <= LONGEST_ERROR, () => `an error of ${message.length} characters`);
  must(!UNCHECKED.test(message) && !/\n\s+at /.test(message), () => `an error nobody wrote: ${message.slice(0, 200)}`);
  return String(code);
}

export function mustComplete({ success, status, code, message }: Answer): void {
  must(success, () => `${code}: ${message.slice(0, 200)}`);
  must(status === undefined || status === "completed", () => `not finished: ${status}`);
}

/** Looks again and again until it holds; the time of the abuse ends it too. */
export async function until(signal: AbortSignal, holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Begins a research without waiting for it; it is cancelled at the end. */
export async function begin(
  { open, later }: Ground,
  question: string,
  tool: "search" | "deep_search" = "search",
): Promise<string> {
  const peer = await open();
  const { jobId, code, message } = await peer.call(tool, { query: question, wait_seconds: 0 });
  must(jobId !== undefined, () => `no job: ${code} ${message}`);
  later(() => peer.call("research_cancel", { job_id: jobId }));
  return String(jobId);
}

/** Does it to each, so many at once; gives what came of each, in order. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await act(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

export function many<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** How often each came, the most frequent first: `200 × 401, 3 × 0`. */
export function counted(values: readonly (string | number)[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => `${count} × ${value}`)
    .join(", ");
}
