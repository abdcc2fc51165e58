import { answerFaults } from "./answer-faults.js";
import { apiFaults } from "./api-faults.js";
import { cliFaults } from "./cli-faults.js";
import { clientFaults } from "./client-faults.js";
import type { Fault } from "./fault.js";
import { machineFaults } from "./machine-faults.js";
import { processFaults } from "./process-faults.js";
import { wallFaults } from "./wall-faults.js";

/** The matrix, in the order of the table. */
export const FAULTS: readonly Fault[] = [
  ...cliFaults,
  ...apiFaults,
  ...answerFaults,
  ...processFaults,
  ...machineFaults,
  ...clientFaults,
  ...wallFaults,
];
