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

const EXIT_CODES = [
  ["0", "done"],
  ["1", "failed"],
  ["2", "wrong usage"],
  ["3", "Gemini CLI not found"],
  ["4", "not signed in, key refused"],
  ["5", "quota used up"],
  ["6", "model unknown"],
  ["7", "not verified, too little proven (--require-…)"],
  ["130", "stopped with Ctrl-C (143: SIGTERM)"],
] as const;
/** Two columns need as much. */
const TWO_COLUMNS = 84;

/** The table of exit codes for a help of a width. */
export function exitCodesHelp(width: number): string {
  if (width < TWO_COLUMNS)
    return ["Exit codes:", ...EXIT_CODES.map(([code, text]) => `  ${code.padStart(3)}  ${text}`)].join("\n");
  const [left, right] = [EXIT_CODES.slice(0, 5), EXIT_CODES.slice(5)];
  const lines = left.map(([code, text], at) => {
    const beside = right[at] === undefined ? "" : `${right[at][0]}  ${right[at][1]}`;
    return `  ${code}  ${text.padEnd(30)}${beside}`.trimEnd();
  });
  return ["Exit codes:", ...lines].join("\n");
}
