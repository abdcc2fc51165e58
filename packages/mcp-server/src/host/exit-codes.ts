/** How a command ended, for scripts. A signal's own code (128 + its number) stands for a command that it stopped. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  cliNotFound: 3,
  authRequired: 4,
  quotaExceeded: 5,
  modelNotFound: 6,
  notVerified: 7,
} as const;

const BY_CODE: Readonly<Record<string, number>> = {
  INVALID_INPUT: EXIT.usage,
  CLI_NOT_FOUND: EXIT.cliNotFound,
  AUTH_REQUIRED: EXIT.authRequired,
  QUOTA_EXCEEDED: EXIT.quotaExceeded,
  MODEL_NOT_FOUND: EXIT.modelNotFound,
};

const BY_SIGNAL: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, EPIPE: 141, SIGTERM: 143 };

export function exitCodeOf(failureCode: string): number {
  return BY_CODE[failureCode] ?? EXIT.failed;
}

/** @param reason That of the process's signal: what stopped it. */
export function exitCodeOfSignal(reason: unknown): number {
  return BY_SIGNAL[String(reason)] ?? 130;
}

export const EXIT_CODES_HELP = `Exit codes:
  0  done                          5  quota used up
  1  failed                        6  model unknown
  2  wrong usage                   7  not verified, too little proven (--require-…)
  3  Gemini CLI not found          130  stopped with Ctrl-C (143: SIGTERM)
  4  not signed in, key refused`;
