/** What a question makes the fake CLI do. */
interface Question {
  /** Letters and digits. */
  tenant: string;
  number: number;
  /** Verified in this round. 1: a quick search. */
  rounds: number;
  /** What each run takes. */
  ms: number;
  /** `large`: a report of five million characters. */
  doing: "answer" | "hang" | "large";
}

function markOf({ tenant, number, rounds, ms, doing }: Question): string {
  return `load-${tenant}-${number}-r${rounds}-m${ms}-${doing}`;
}

let last = 0;

/** A question that nobody asked before in this process. */
export function ask(
  tenant: string,
  { rounds = 1, ms = 200, doing = "answer" }: Partial<Question> = {},
): { mark: string; query: string; tool: "search" | "deep_search"; rounds: number } {
  last += 1;
  const mark = markOf({ tenant, number: last, rounds, ms: Math.round(ms), doing });
  return { mark, query: queryOf(mark), tool: rounds === 1 ? "search" : "deep_search", rounds };
}

function queryOf(mark: string): string {
  return `How high are the tides? ${mark}`;
}
