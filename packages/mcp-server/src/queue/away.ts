import { inWords } from "./error-words.js";

/** The store or the queue does not answer, or not as it should. Callers are not told why: that names machines, and speaks of tables. */
export class QueueAwayError extends Error {
  override readonly name = "QueueAwayError";
  readonly code = "EXECUTION_ERROR";
  readonly details =
    "Nothing was lost: researches that run go on. Ask again in a minute. Whoever runs this server finds the reason in its log.";
  /** For the log. */
  readonly why: string;

  constructor(cause: Error) {
    super("The place where this server keeps its researches cannot be used now");
    this.why = inWords(cause);
  }
}

/** Errors that say by themselves what is to be done. */
const OURS = new Set(["INVALID_INPUT", "QUOTA_EXCEEDED", "CANCELLED"]);

/** What fails since the store is away says so. */
export async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && OURS.has(String((error as { code?: unknown }).code))) throw error;
    throw new QueueAwayError(error as Error);
  }
}
