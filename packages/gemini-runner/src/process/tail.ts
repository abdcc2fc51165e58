import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

const CHUNK_BYTES = 16 * 1024;
const POLL_MS = 200;

/**
 * Follows a file that another process writes. The CLI's output goes to a file because a pipe loses its end: the CLI
 * exits without waiting for what it wrote. The system tells of growth; where it does not, we look.
 */
export class Tail {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #decoder = new StringDecoder("utf8");
  /** One for all reads: an answer in small pieces is read a thousand times. */
  readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #onText: (text: string) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;
  #position = 0;
  #reading = Promise.resolve();
  #lookAgain = false;
  #idle = true;

  static async open(file: string): Promise<Tail> {
    return new Tail(file, await open(file, "r"));
  }

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** From now on `onText` gets what is there and what comes. */
  follow(onText: (text: string) => void): void {
    this.#onText = onText;
    this.#timer = setInterval(() => this.#look(), POLL_MS).unref();
    try {
      this.#watcher = watch(this.#file, { persistent: false }, () => this.#look()).on("error", () => {});
    } catch {
      // No watchers left, or none on this file system: the timer looks.
    }
  }

  /** Reads the rest and lets go of the file. Rejects when it could not be read whole. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#look();
    try {
      await this.#reading;
    } finally {
      await this.#handle.close();
    }
  }

  #look(): void {
    this.#lookAgain = true;
    if (!this.#idle) return;
    this.#idle = false;
    this.#reading = this.#read().finally(() => {
      this.#idle = true;
    });
    // Heard of when the tail is closed, which reads again from the same place.
    this.#reading.catch(() => {});
  }

  async #read(): Promise<void> {
    const buffer = this.#buffer;
    while (this.#lookAgain) {
      this.#lookAgain = false;
      for (;;) {
        const { bytesRead } = await this.#handle.read(buffer, 0, CHUNK_BYTES, this.#position);
        if (bytesRead === 0) break;
        this.#position += bytesRead;
        this.#onText(this.#decoder.write(buffer.subarray(0, bytesRead)));
      }
    }
  }
}

/** Cuts a stream of text into lines. The pieces of a long line are joined once. */
export class Lines {
  readonly #onLine: (line: string) => void;
  #pieces: string[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#pieces.push(text.slice(start, end));
      start = end + 1;
      this.flush();
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
  }

  /** Hands on a last line that has no end. */
  flush(): void {
    if (this.#pieces.length === 0) return;
    const line = this.#pieces.join("");
    this.#pieces = [];
    this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}
