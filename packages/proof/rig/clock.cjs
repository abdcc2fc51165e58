// Loaded into a server before it: on SIGUSR2 its clock jumps back by an hour.
"use strict";
let aheadMs = 0;
const now = Date.now;
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
