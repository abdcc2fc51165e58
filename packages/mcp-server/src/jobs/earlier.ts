import type { JobRecord } from "./job-record.js";

/** What an earlier call had already begun for the question of this one. */
export interface Earlier {
  /**
   * - `joined`: it is being researched.
   * - `goes-on`: its research had stopped and goes on.
   * - `kept`: its report was finished after the call that asked for it had given up.
   */
  how: "joined" | "goes-on" | "kept";
  /** Rounds that were done and are not done again. */
  rounds: number;
  /** When the question was asked first. ISO 8601. */
  askedAt: string;
}

export function earlierOf(how: Earlier["how"], { activity, createdAt }: JobRecord): Earlier {
  return { how, rounds: activity.roundsDone, askedAt: createdAt };
}

/** Tells the caller in one sentence; `undefined` when there is nothing to tell. */
export function earlierInWords({ how, rounds, askedAt }: Earlier): string | undefined {
  const asked = `this question, asked ${askedAt.slice(0, 16).replace("T", " ")} UTC`;
  switch (how) {
    case "joined":
      return `Joined the running research of ${asked}.`;
    case "goes-on":
      return rounds === 0
        ? undefined
        : `Goes on after round ${rounds} of the research of ${asked}. For a new research, ask in other words.`;
    case "kept":
      return `The report of ${asked}: it was finished after that call had given up waiting.`;
  }
}
