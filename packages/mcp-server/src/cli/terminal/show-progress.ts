import type { Io } from "../../host/io.js";
import { describe } from "../../jobs/activity.js";
import type { Job } from "../../jobs/job.js";
import { plainLine } from "../../text/plain-text.js";
import { screenOf } from "./paint.js";
import { doneLines, lineOf, liveLines } from "./progress-view.js";

/** Progress on stderr, while a research runs. */
export interface ProgressDisplay {
  /** A line that stays, above what is redrawn. */
  say(line: string): void;
  /** Ends the view: what has happened stays on the screen, and nothing moves any more. */
  stop(): void;
}

const FRAME_MS = 80;
const LOOK_MS = 1_000;

/** Shows on stderr what happens: redrawn in a terminal, as lines elsewhere. */
export async function createProgressDisplay(
  { stderr, env }: Pick<Io, "stderr" | "env">,
  options: { now: () => number; quiet: boolean },
): Promise<ProgressDisplay & { follow(job: Job): void }> {
  const { now, quiet } = options;
  const screen = () => screenOf(stderr, env);
  const { TERM } = env;
  // Some terminals report 0 × 0: nothing can be redrawn in it.
  const sized = stderr.columns > 0 && stderr.rows > 0;
  const live = !quiet && stderr.isTTY === true && sized && TERM !== "dumb";
  const update = live ? (await import("log-update")).createLogUpdate(stderr) : undefined;
  let job: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let forget = () => {};
  const draw = () => {
    if (job && update) update(liveLines(job.record, now(), screen()).join("\n"));
  };
  return {
    say(line) {
      if (update) update.clear();
      stderr.write(`${line}\n`);
      draw();
    },
    follow(followed) {
      forget();
      clearInterval(timer);
      job = followed;
      if (quiet) {
        // Another process's job is waited for by timers that keep nothing alive.
        timer = setInterval(() => {}, LOOK_MS);
        return;
      }
      let heard = false;
      forget = followed.onEvent((event) => {
        heard = true;
        const line = live ? undefined : lineOf(event, followed.record, now());
        if (line) stderr.write(`${line}\n`);
      });
      draw();
      // A job of another process sends no events: what it does stands in its record.
      let last = "";
      const tell = () => {
        const text = plainLine(describe(followed.record.activity));
        if (!heard && text !== last) stderr.write(`${text}\n`);
        last = text;
      };
      timer = setInterval(live ? draw : tell, live ? FRAME_MS : LOOK_MS);
    },
    stop() {
      forget();
      clearInterval(timer);
      if (!update) return;
      update.clear();
      update.done();
      const lines = job ? doneLines(job.record.activity, screen()) : [];
      if (lines.length > 0) stderr.write(`${lines.join("\n")}\n\n`);
    },
  };
}
