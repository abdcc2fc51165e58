import { setImmediate as turn } from "node:timers/promises";
import type { ResearchDeps } from "@x/research";

/** A runner without a CLI: each run gives this text, and says that it searched and read one page. */
export function scriptedRunner(text: () => string): ResearchDeps["runner"] {
  return {
    async *run() {
      // As a real run does, it lets others work.
      await turn();
      yield { type: "run-start", pid: 1, queuedMs: 0, warm: false };
      return {
        text: text(),
        model: "gemini-2.5-flash",
        models: [],
        recorded: true,
        queries: ["tides"],
        sources: [{ url: "https://example.org/tides", title: "Tides", status: "retrieved" as const }],
        failures: [],
        attributions: [],
        durationMs: 1,
        queuedMs: 0,
      };
    },
  };
}
