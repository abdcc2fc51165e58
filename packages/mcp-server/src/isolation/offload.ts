/** What a task works on. */
export interface Size {
  /** The same for tasks that share what they work on: it is there once. */
  of: unknown;
  /** In characters, about. */
  length: number;
}

/** Too much waits to be done. */
export class TooManyTasks extends Error {}

/** Does a task of the worker's program, by its name. Rejects with {@link TooManyTasks} when too much waits. */
export type Offload = (name: string, input: unknown, size?: Size) => Promise<unknown>;

/** A pure piece of work on a text: what goes in and comes out is plain data. */
export type Task = (input: never) => unknown;
