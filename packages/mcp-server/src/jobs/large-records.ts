import { readText } from "@x/owned-files";

/** To read a record takes four times its size. The thread that reads answers has no memory for so long a report. */
export const MOST_RECORD_BYTES = 64 * 1024 * 1024;

/** A record whose report somebody works with. */
interface InUse {
  mark: string;
  head: Record<string, unknown>;
  report: WeakRef<object>;
}

/** Records with long reports: read one after another, and each kept once by all who work with it at a time. */
export class LargeRecords {
  readonly #inUse = new Map<string, InUse>();
  #reading: Promise<unknown> = Promise.resolve();

  /** @param mark Changes whenever the file does. */
  async load(path: string, mark: string): Promise<unknown> {
    // Many at once would take many times their size.
    const read = this.#reading.then(() => this.#load(path, mark));
    this.#reading = read.catch(() => {});
    return read;
  }

  async #load(path: string, mark: string): Promise<unknown> {
    const known = this.#inUse.get(path);
    const report = known?.mark === mark ? known.report.deref() : undefined;
    // What is not the report is everybody's own.
    if (known !== undefined && report !== undefined) return { ...structuredClone(known.head), report };
    const record: unknown = JSON.parse(await readText(path, { mostBytes: MOST_RECORD_BYTES }));
    this.#keep(path, mark, record);
    return record;
  }

  #keep(path: string, mark: string, record: unknown): void {
    for (const [each, { report }] of this.#inUse) if (report.deref() === undefined) this.#inUse.delete(each);
    if (typeof record !== "object" || record === null) return;
    const { report, ...head } = record as Record<string, unknown>;
    if (typeof report !== "object" || report === null) return;
    this.#inUse.set(path, { mark, head: structuredClone(head), report: new WeakRef(report) });
  }
}
