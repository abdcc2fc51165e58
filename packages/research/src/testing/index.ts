/// <reference types="node" preserve="true" />
export { type Harness, type Play, type RunnerCheck, runnerContract } from "./runner-contract.js";
