// Loaded into a server before it: on SIGUSR2 its clock jumps back by an hour. With CLOCK_AHEAD_MS it is so far
// ahead from the start.
"use strict";
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const now = Date.now;
const { timeOrigin } = performance;
Object.defineProperty(performance, "timeOrigin", { get: () => timeOrigin + Number(process.env.CLOCK_AHEAD_MS ?? 0) });
globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length === 0) super(now() + aheadMs);
    else super(...args);
  }
  static now() {
    return now() + aheadMs;
  }
};
process.on("SIGUSR2", () => {
  aheadMs = -3_600_000;
});
