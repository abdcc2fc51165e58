/** A process ended before it did what it was to do: by itself, or somebody else ended it. */
export class EndedError extends Error {}
