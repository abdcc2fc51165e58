import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { atTheEnd } from "./in-time.js";

const CHUNK_BYTES = 16 * 1024;
const POLL_MS = 200;

export interface TailListener {
  /** Hears the text as it comes. Nothing more is read until what it returns resolves. */
  onText(text: string): Promise<void>;
  /** Hears how long the file is, in bytes, also while nothing is read. */
  onSize(bytes: number): void;
}

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
  #listener: TailListener = { onText: async () => {}, onSize: () => {} };
  #timer: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;
  #position = 0;
  #reading = Promise.resolve();
  #lookAgain = false;
  #idle = true;
  #ended = false;
  #onEnd: () => void = () => {};
  readonly #end = new Promise<void>((resolve) => {
    this.#onEnd = resolve;
  });

  static async open(file: string): Promise<Tail> {
    return new Tail(file, await open(file, "r"));
  }

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** From now on `listener` gets what is there and what comes. */
  follow(listener: TailListener): void {
    this.#listener = listener;
    this.#timer = setInterval(() => {
      this.#look();
      void this.#measure();
    }, POLL_MS).unref();
    try {
      this.#watcher = watch(this.#file, { persistent: false }, () => this.#look()).on("error", () => {});
    } catch {
      // No watchers left, or none on this file system: the timer looks.
    }
  }

  /** Resolves when all that the file holds now has been handed on, or nothing more of it is read. */
  async caughtUp(): Promise<void> {
    this.#look();
    // That it could not be read is told when the tail is closed.
    await Promise.race([this.#reading.catch(() => {}), this.#end]);
  }

  /** Reads no more of it: nobody wants it. */
  end(): void {
    this.#ended = true;
    this.#onEnd();
  }

  /** Reads the rest and lets go of the file. Rejects when it could not be read whole. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#watcher?.close();
    const rest = this.#readRest();
    // Whoever listens may take his time, but not for what nobody wants.
    await Promise.race([rest, this.#end.then(() => atTheEnd(rest))]);
  }

  async #readRest(): Promise<void> {
    await this.#measure();
    this.#look();
    try {
      await this.#reading;
    } finally {
      await this.#handle.close();
    }
  }

  async #measure(): Promise<void> {
    // What cannot be looked at is told by the reading.
    const found = await this.#handle.stat().catch(() => undefined);
    if (found !== undefined) this.#listener.onSize(found.size);
  }

  #look(): void {
    this.#lookAgain = true;
    if (!this.#idle) return;
    this.#idle = false;
    this.#reading = this.#read();
    // Heard of when the tail is closed, which reads again from the same place.
    this.#reading.catch(() => {});
  }

  async #read(): Promise<void> {
    const buffer = this.#buffer;
    try {
      while (this.#lookAgain) {
        this.#lookAgain = false;
        while (!this.#ended) {
          const { bytesRead } = await this.#handle.read(buffer, 0, CHUNK_BYTES, this.#position);
          if (bytesRead === 0) break;
          this.#position += bytesRead;
          this.#listener.onSize(this.#position);
          await this.#listener.onText(this.#decoder.write(buffer.subarray(0, bytesRead)));
        }
      }
    } finally {
      this.#idle = true;
    }
  }
}
