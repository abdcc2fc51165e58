/** Characters of a text. */
export const MAX_LENGTH = 16_000_000;
/** Levels of brackets; `JSON.stringify` can still write so many. */
export const MAX_DEPTH = 3_000;
