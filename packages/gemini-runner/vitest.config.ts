import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";

// Two, whatever the machine: many tests wait for what a program does not do.
export default mergeConfig(shared, defineConfig({ test: { maxWorkers: 2 } }));
