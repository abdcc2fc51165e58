/** What a person or a model is told when something failed: the `error` object of the contract. */
export interface Failure {
  code: string;
  message: string;
  details?: string;
}

const CODES = new Set([
  "CLI_NOT_FOUND",
  "AUTH_REQUIRED",
  "QUOTA_EXCEEDED",
  "MODEL_NOT_FOUND",
  "CANCELLED",
  "INVALID_INPUT",
  "RESEARCH_FAILED",
  "EXECUTION_ERROR",
  "UNEXPECTED_ERROR",
]);

/** One next step a code. What happened stands in the message. */
const NEXT_STEP: Readonly<Record<string, string>> = {
  CLI_NOT_FOUND:
    "Install the Gemini CLI: npm install -g @google/gemini-cli (or: brew install gemini-cli). It needs Node.js 20 or newer. If it is installed already, set GEMINI_CLI_PATH to its full path.",
  AUTH_REQUIRED:
    "Set GEMINI_API_KEY (a key from https://aistudio.google.com/apikey) in the environment of this server. Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT) and a Gemini Code Assist Standard or Enterprise login work too.",
  QUOTA_EXCEEDED: "Wait until the quota is renewed, or set GEMINI_MODEL to a model that still has some.",
  MODEL_NOT_FOUND:
    "Set GEMINI_MODEL (for corrections GEMINI_CORRECTION_MODEL) to a model that your account can use, or unset it: the CLI then chooses.",
  CANCELLED: "Ask again to start anew.",
};

/** What a host shows of an error is little; the end of what the CLI said is what matters. */
const LONGEST_DETAILS = 1_500;
const TIMEOUT_STEP = "Raise GEMINI_SEARCH_TIMEOUT (milliseconds), or ask a narrower question.";

/** Any error → code, message, details with the next step. Never a stack. */
export function toFailure(error: unknown): Failure {
  const { code, message, details } = shapeOf(error);
  const step = code === "EXECUTION_ERROR" && reasonOf(error) === "timeout" ? TIMEOUT_STEP : NEXT_STEP[code];
  // What is not there has said nothing: the details are advice of its own, and ours is the whole of it.
  const said = code === "CLI_NOT_FOUND" ? undefined : details?.slice(-LONGEST_DETAILS);
  const text = [said, step].filter((part) => part !== undefined && part !== "").join("\n");
  return text === "" ? { code, message } : { code, message, details: text };
}

function shapeOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: "EXECUTION_ERROR", message: String(error) };
  const { code, details } = error as { code?: unknown; details?: unknown };
  return {
    // Node's own errors have codes too.
    code: typeof code === "string" && CODES.has(code) ? code : "EXECUTION_ERROR",
    message: error.message || error.name,
    ...(typeof details === "string" ? { details } : {}),
  };
}

function reasonOf(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("reason" in at) return at.reason;
  }
  return undefined;
}
