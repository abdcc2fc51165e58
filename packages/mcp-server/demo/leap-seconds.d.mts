import type { Scenario } from "@x/gemini-runner/testing";

export const QUESTION: string;
export function leapSeconds(question: string, options?: { thinkMs?: number }): Scenario;
