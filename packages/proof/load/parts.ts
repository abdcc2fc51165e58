import type { Part } from "./part.js";
import { CANCEL } from "./parts/cancel.js";
import { FAIRNESS } from "./parts/fairness.js";
import { FRONTS } from "./parts/fronts.js";
import { KILLS } from "./parts/kills.js";
import { LIMITS } from "./parts/limits.js";
import { OUTAGES } from "./parts/outages.js";
import { LATENCY, THROUGHPUT } from "./parts/speed.js";
import { START } from "./parts/start.js";
import { VERSIONS } from "./parts/versions.js";
import { WALLS } from "./parts/walls.js";

/** What is cheap comes first: a long load on a server that does not start shows nothing. */
export const PARTS: readonly Part[] = [
  START,
  FRONTS,
  WALLS,
  LIMITS,
  CANCEL,
  FAIRNESS,
  OUTAGES,
  VERSIONS,
  LATENCY,
  THROUGHPUT,
  KILLS,
];
