/** A research that stopped is gone on with for so long after; its pages are no news after that. */
export const GOES_ON_MS = 24 * 3_600_000;
/** A report that nobody took is given to whoever asks the same question for so long after. */
export const KEPT_MS = 3_600_000;
/** A job that no call waits for ends after it, and can go on later. */
export const UNATTENDED_MS = 3_600_000;
/** When the connection of a call broke, its client has so long to ask again before the job is cancelled. */
export const CLOSED_MS = 15_000;
/** Calls within this time come from one step of a model. */
export const AT_ONCE_MS = 2_000;
