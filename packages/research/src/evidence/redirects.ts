import { aborted } from "../aborted.js";
import { isRedirectLink } from "./urls.js";

/** Links of one research that are resolved at most. */
const MAX_LINKS = 100;
/** How long the end of a research waits for links that are still being resolved. */
const LAST_WAIT_MS = 5_000;

type ResolveUrl = (url: string, signal?: AbortSignal) => Promise<string | undefined>;

/** Google's redirect links of one research, resolved while its rounds go on: each once, no round waits for them. */
export class Redirects {
  readonly #resolve: ResolveUrl | undefined;
  readonly #stop = new AbortController();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #pages: Map<string, string>;

  constructor(resolve: ResolveUrl | false | undefined, known: Iterable<readonly [link: string, page: string]> = []) {
    this.#resolve = resolve || undefined;
    this.#pages = new Map(known);
  }

  /** Every link that is known, with its page. */
  known(): [link: string, page: string][] {
    return [...this.#pages];
  }

  /** Starts to resolve what is a redirect link among these. */
  start(urls: Iterable<string>): void {
    const resolve = this.#resolve;
    if (resolve === undefined) return;
    for (const url of urls) {
      if (this.#asked.size >= MAX_LINKS) return;
      if (!isRedirectLink(url) || this.#asked.has(url) || this.#pages.has(url)) continue;
      const asked = Promise.resolve(resolve(url, this.#stop.signal)).then(
        (page) => {
          if (page !== undefined) this.#pages.set(url, page);
        },
        () => {}, // the link is kept
      );
      this.#asked.set(url, asked);
    }
  }

  /** The page behind a link when it is known, else the address itself. */
  pageOf(url: string): string {
    return this.#pages.get(url) ?? url;
  }

  /** The text with every link that is known replaced by its page. */
  inText(text: string): string {
    if (this.#pages.size === 0) return text;
    // A link may be the beginning of another one.
    const links = [...this.#pages.keys()].sort((a, b) => b.length - a.length);
    const anyLink = new RegExp(links.map((link) => link.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
    return text.replaceAll(anyLink, (link) => this.pageOf(link));
  }

  /** Waits for what is being resolved, for a limited time: until the signal is aborted at the latest. */
  async settle(signal: AbortSignal): Promise<void> {
    if (this.#asked.size === 0) return;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LAST_WAIT_MS);
    await Promise.race([Promise.all(this.#asked.values()), aborted(AbortSignal.any([signal, late.signal]))]);
    clearTimeout(timer);
    this.close();
  }

  /** Ends what is still being resolved. */
  close(): void {
    this.#stop.abort();
  }
}
