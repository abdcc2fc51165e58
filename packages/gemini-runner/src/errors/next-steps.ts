import type { ExecutionReason, RunnerErrorCode } from "./runner-error.js";

const OTHER_MODEL = "Try again, or name another model.";
const LESS = "Ask for less at once.";

/** What there is to do about an error by its reason, or else its code, where no more is known. */
const NEXT_STEPS: { readonly [of in ExecutionReason | RunnerErrorCode]?: string } = {
  QUOTA_EXCEEDED:
    "Wait until the quota is renewed (the quota of a day at midnight Pacific time), or name another model: each has a quota of its own.",
  MODEL_NOT_FOUND: "Name another model, or none: then the CLI chooses.",
  network:
    "Check the connection. If a proxy (HTTPS_PROXY) or an address of the API (GOOGLE_GEMINI_BASE_URL) is set, check that, too.",
  server: "Try again a little later, or name another model.",
  empty: OTHER_MODEL,
  "thinking-only": OTHER_MODEL,
  loop: OTHER_MODEL,
  blocked: "Ask in other words, or name another model.",
  truncated: LESS,
  turns: LESS,
  "too-long": "Shorten the prompt, or hand over a part of it as one of `files`.",
  spawn: "Make the file executable, or name another with `command`.",
  workspace: "Make the folder of the runs writable and make room in it, or name another with `cwd`.",
  closed: "Make a new runner.",
};

/** `undefined`: nothing is known. */
export function nextStepOf(code: RunnerErrorCode, reason?: ExecutionReason): string | undefined {
  return NEXT_STEPS[reason ?? code];
}
