import type { ServerResponse } from "node:http";

/** What a stream tells of. */
export interface Watched {
  /** The part of a page as it is now, how long it takes already, and whether nothing more will happen. */
  look: () => Promise<{ html: string; time?: string; isOver: boolean }>;
  /** Whether the page is loaded anew at the end. */
  endsWhenOver: boolean;
}

/** Records change on disk, by whatever process: they are looked at so often. */
const LOOK_MS = 1_000;
/** Windows of one person. */
const MAX_STREAMS = 20;

/** Server-sent events for the windows of a browser: each is told when its part has changed. */
export class EventStreams {
  readonly #open = new Set<() => void>();

  add(response: ServerResponse, { look, endsWhenOver }: Watched): void {
    if (this.#open.size >= MAX_STREAMS) {
      response.writeHead(503).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    let told: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isOpen = true;
    const end = () => {
      isOpen = false;
      clearTimeout(timer);
      this.#open.delete(end);
      response.end();
    };
    const tell = async () => {
      const { html, time, isOver } = await look();
      if (!isOpen) return;
      if (endsWhenOver && isOver) {
        response.write("event: end\ndata: {}\n\n");
        return end();
      }
      // A window that does not read is told of the last change when it does, not of each.
      const reads = response.writableLength === 0;
      if (reads && told !== html) {
        response.write(`event: change\ndata: ${JSON.stringify(html)}\n\n`);
        told = html;
      }
      if (reads && time !== undefined) response.write(`event: time\ndata: ${time}\n\n`);
      timer = setTimeout(next, LOOK_MS);
    };
    const next = () => void tell().catch(end);
    this.#open.add(end);
    response.once("close", end);
    next();
  }

  close(): void {
    for (const end of [...this.#open]) end();
  }
}
