/**
 * Runs in the CLI's own process, before the CLI. It costs no process of its own, and
 * - ends the CLI with its whole group, and removes the folder of the run, at once when the program that holds the other
 *   end of the pipe is gone, however it went: a CLI that lives on spends quota;
 * - tells over the pipe what the CLI itself does not say: which requests to the API failed, why the model ended its turn,
 *   which pages could not be read and which sources a search has;
 * - ends the CLI when it repeats a refused request without a pause, which it does for ever when the daily quota of a
 *   search is used up;
 * - ends the reading of a page that does not come, which the CLI would try for minutes;
 * - cuts what tools give the model beyond what they may give in one run.
 */
import { createHash } from "node:crypto";
import { isMainThread } from "node:worker_threads";
import type { GuardOptions } from "../guard.js";
import { hearReplies } from "./hear-replies.js";
import { hearRequests } from "./hear-requests.js";
import { holdsPipe, openPipe, sayTo } from "./pipe.js";
import { onlyRun, runOfSession, type SayOfRun } from "./run-context.js";
import { beginPages, watchPages } from "./watch-pages.js";

declare const GUARD_OPTIONS: GuardOptions;

if (isMainThread && holdsPipe()) {
  // What the CLI starts is not guarded: it has no pipe.
  delete process.env["NODE_OPTIONS"];
  const { folder, pagesMs, word, maxToolOutput } = GUARD_OPTIONS;
  const manyRuns = word !== null;
  const pipe = openPipe(folder, () => tell({ type: "pong", bytes: process.memoryUsage.rss() }));
  // Between the messages of a CLI that serves several runs a note stands where it belongs in time. Later it takes stdout for itself.
  const tell = manyRuns ? sayTo(process.stdout.write.bind(process.stdout)) : pipe.say;
  const currentRun = manyRuns ? runOfSession(word, maxToolOutput) : onlyRun(maxToolOutput);
  // The session stands at the beginning: of a line that is too long no more is known.
  const say: SayOfRun = ({ session }, note) =>
    tell(session === undefined ? note : Object.assign({ type: note.type, session }, note));
  hearReplies({ currentRun, say, everything: manyRuns });
  watchPages({ currentRun, say, budgetMs: pagesMs ?? Number.POSITIVE_INFINITY });
  hearRequests({
    currentRun,
    say,
    onRequest: (run, path) => {
      beginPages(run);
      const model = /\/models\/([^/:]+):/.exec(path)?.[1];
      if (model !== undefined) run.model = decodeURIComponent(model);
      if (!path.endsWith(":streamGenerateContent")) return;
      run.turn = { length: 0, hash: createHash("sha256") };
      say(run, { type: "turn" });
    },
    // One of several is ended by the one who asked for it; alone it takes its process along.
    onRunaway: () => {
      if (!manyRuns) pipe.endGroup();
    },
  });
}
