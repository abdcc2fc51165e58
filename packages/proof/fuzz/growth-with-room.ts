/** Measures in a thread of its own, whose collector has the room that its maker gave it. */
import { parentPort, workerData } from "node:worker_threads";
import { costsOf, type Measurement } from "./growth.js";

parentPort?.postMessage(costsOf(workerData as Measurement));
