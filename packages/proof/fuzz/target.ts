import type { IAsyncProperty } from "fast-check";

/** Something that takes bytes from outside and must stand whatever they are. */
export interface Target {
  name: string;
  /** What is made up, and what must hold. */
  about: string;
  /** Makes what the inputs are thrown at. */
  open(): Promise<OpenTarget>;
}

interface OpenTarget {
  property: IAsyncProperty<unknown[]>;
  close(): Promise<void>;
}

/** No input may take longer. */
export const INPUT_LIMIT_MS = 15_000;

/** Throws with what is wrong. */
export function must(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(what());
}

/** Words of an engine's error: a value was used that nobody looked at. */
export const UNCHECKED =
  /Cannot read propert|Cannot destructure|Cannot convert|is not (?:a function|iterable|an object|a constructor)|Maximum call stack|Invalid (?:array|string) length|\[object Object\]/;

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const OWN = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length);

/** Nothing that was read has become a property of everything. */
export function mustBeUnpolluted(): void {
  PROTOTYPES.forEach((prototype, i) => {
    must(
      Reflect.ownKeys(prototype).length === OWN[i],
      () => `a prototype has new keys: ${Object.keys(prototype).join(", ")}`,
    );
  });
}
