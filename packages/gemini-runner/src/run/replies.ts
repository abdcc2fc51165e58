import type { GuardNote, ModelTurn, PageRead } from "../cli/guard-notes.js";
import type { KnownReplies } from "../cli/session-file.js";
import { pageKey } from "../cli/urls.js";
import type { Attribution } from "../events.js";

/** What the model's own replies say and the CLI says nowhere, as the guard hears it. */
export class Replies implements KnownReplies {
  /** Whether the model was asked for a turn of the run. */
  asked = false;
  /** How often it was. */
  turns = 0;
  /** The model's last turn, once it has ended. */
  last: ModelTurn | undefined;
  /** Pages that neither Google nor the CLI could read, although the CLI may call reading them a success. */
  readonly unread = new Map<string, string | undefined>();
  /** Addresses that Google named as sources of a search. */
  readonly grounds = new Set<string>();
  /** Which words Google says come from where. */
  readonly attributions: Attribution[] = [];

  add(note: GuardNote): void {
    switch (note.type) {
      case "turn":
        this.asked = true;
        this.turns++;
        this.last = undefined;
        break;
      case "turn-end":
        this.last = note.turn;
        break;
      case "looked-up":
        for (const page of note.pages) this.#addPage(page);
        for (const url of note.grounds) this.grounds.add(url);
        for (const each of note.attributions) this.attributions.push(each);
        break;
      case "page":
        this.#addPage(note.page);
    }
  }

  /** What is said last of a page counts. */
  #addPage({ url, read, message }: PageRead): void {
    if (read) this.unread.delete(pageKey(url));
    else this.unread.set(pageKey(url), message);
  }
}
