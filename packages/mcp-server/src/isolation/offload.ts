/** Does a task of the worker's program, by its name. */
export type Offload = (name: string, input: unknown) => Promise<unknown>;

/** A pure piece of work on a text: what goes in and comes out is plain data. */
export type Task = (input: never) => unknown;
