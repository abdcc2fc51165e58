/**
 * Runs in the CLI's own process, before the CLI. It costs no process of its own, and
 * - ends the CLI with its whole group, and removes the folder of the run, at once when the program that holds the other
 *   end of the pipe is gone, however it went: a CLI that lives on spends quota;
 * - tells over the pipe what the CLI itself does not say: which requests to the API failed, why the model ended its turn,
 *   which pages could not be read and which sources a search has;
 * - ends the CLI when it repeats a refused request without a pause, which it does for ever when the daily quota of a
 *   search is used up;
 * - ends the reading of a page that does not come, which the CLI would try for minutes.
 */
import { isMainThread } from "node:worker_threads";
import type { GuardOptions } from "../guard.js";
import { hearReplies } from "./hear-replies.js";
import { hearRequests } from "./hear-requests.js";
import { holdsPipe, openPipe } from "./pipe.js";
import { watchPages } from "./watch-pages.js";

declare const GUARD_OPTIONS: GuardOptions;

if (isMainThread && holdsPipe()) {
  // What the CLI starts is not guarded: it has no pipe.
  delete process.env["NODE_OPTIONS"];
  const { folder, pagesMs } = GUARD_OPTIONS;
  const { say, endGroup } = openPipe(folder);
  const turns = hearReplies(say);
  const pages = watchPages({ budgetMs: pagesMs ?? Number.POSITIVE_INFINITY, say });
  hearRequests({
    say,
    endGroup,
    onRequest: (path) => {
      pages.begin();
      if (path.endsWith(":streamGenerateContent")) turns.begin();
    },
  });
}
