import type { GuardNote, ModelTurn } from "../cli/guard.js";

/** What the model's own replies say and the CLI says nowhere, as the guard hears it. */
export class Replies {
  /** Whether the model was asked for a turn of the run. */
  asked = false;
  /** The model's last turn, once it has ended. */
  last: ModelTurn | undefined;
  /** Addresses that Google could not read, although the CLI calls reading them a success. */
  readonly unread = new Set<string>();
  /** Addresses that Google named as sources of a search. */
  readonly grounds = new Set<string>();

  add(note: Exclude<GuardNote, { type: "failure" }>): void {
    switch (note.type) {
      case "turn":
        this.asked = true;
        this.last = undefined;
        break;
      case "turn-end":
        this.last = note.turn;
        break;
      case "looked-up":
        for (const { url, read } of note.pages) {
          if (read) this.unread.delete(toHref(url));
          else this.unread.add(toHref(url));
        }
        for (const url of note.grounds) this.grounds.add(url);
    }
  }
}

/** An address in the form in which two spellings of it are the same. */
export function toHref(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
