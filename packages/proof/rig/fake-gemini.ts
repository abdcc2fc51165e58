/** One thing that the fake CLI does, in order, when it has read its prompt to the end. */
export type FakeStep =
  /** In a play, `{number}` becomes the number that stands behind its name in the prompt. */
  | { do: "stdout"; text: string }
  | { do: "stderr"; text: string }
  /** Writes a text again and again, to stdout (1) or stderr (2); by default without a pause. */
  | { do: "repeat"; to: 1 | 2; text: string; times: number; everyMs?: number }
  /** As the CLI writes its transcript, under the home of the run. */
  | { do: "transcript"; text: string }
  | { do: "wait"; ms: number }
  /** Ignores every signal that can be ignored, from here on. */
  | { do: "ignore-signals" }
  /** Starts a process in the same group that ignores them too. */
  | { do: "grandchild" }
  /** Starts a process in a session of its own, which nobody waits for. */
  | { do: "daemon" }
  /** What follows takes no time from the other programs of the machine. */
  | { do: "low-priority" }
  | { do: "hang" }
  | { do: "exit"; code: number }
  | { do: "kill"; signal: NodeJS.Signals };

/** The lines of a run in which all is well. */
export function answered(text: string): FakeStep[] {
  return [
    { do: "stdout", text: lines(init, said(text), { type: "result", status: "success", stats: {} }) },
    { do: "exit", code: 0 },
  ];
}

const init = { type: "init", session_id: "fake", model: "gemini-2.5-flash" };

export function said(text: string): object {
  return { type: "message", role: "assistant", content: text, delta: true };
}

/** Events of the CLI, one a line. */
export function lines(...events: object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
