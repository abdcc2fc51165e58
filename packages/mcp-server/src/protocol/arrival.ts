/** When messages came that waited for the server to be loaded, by `performance.now()`. */
const ARRIVALS = new WeakMap<object, number>();

/** Notes that a message has come, if that is not noted yet. */
export function noteArrival(message: object): void {
  if (!ARRIVALS.has(message)) ARRIVALS.set(message, performance.now());
}

/** When a message came; now, where nobody noted it. */
export function arrivalOf(message: object): number {
  return ARRIVALS.get(message) ?? performance.now();
}
