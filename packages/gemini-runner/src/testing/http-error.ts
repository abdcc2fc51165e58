/** Errors as Google's API sends them. */
import type { Answer } from "./answers.js";

/**
 * - `bad-request` 400, `bad-key` 400 `API_KEY_INVALID`, `unauthenticated` 401, `forbidden` 403, `not-found` 404
 * - `quota-minute` 429 with a `PerMinute` quota and `RetryInfo`, `quota-day` 429 with a `PerDay` quota, `quota` 429 bare
 * - `server` 500, `unavailable` 503
 */
export type HttpErrorName =
  | "bad-request"
  | "bad-key"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "quota-minute"
  | "quota-day"
  | "quota"
  | "server"
  | "unavailable";

/** What an error says beside its name. */
export interface HttpErrorOptions {
  /** Name in the text of `not-found` and the quota errors. Default: `gemini-2.5-flash`. */
  model?: string;
  /** With the quota errors: how long the API asks to wait, in ms; 0 leaves it out. Default: 37 s (`quota`: 0). */
  retryAfterMs?: number;
  /** Instead of Google's words. */
  message?: string;
}

const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const SERVICE = { domain: "googleapis.com", metadata: { service: "generativelanguage.googleapis.com" } };

/** Answers with an HTTP error; nothing may stand before it but a delay. */
export function httpError(name: HttpErrorName, options: HttpErrorOptions = {}): Answer {
  const { code, status, message, details } = errorOf(name, options);
  return {
    type: "http-error",
    status: code,
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: JSON.stringify(
      { error: { code, message: options.message ?? message, status, ...(details ? { details } : {}) } },
      null,
      2,
    ),
  };
}

interface GoogleError {
  code: number;
  status: string;
  message: string;
  details?: object[];
}

function errorOf(name: HttpErrorName, options: HttpErrorOptions): GoogleError {
  const { model = "gemini-2.5-flash" } = options;
  switch (name) {
    case "bad-request":
      return { code: 400, status: "INVALID_ARGUMENT", message: "Request contains an invalid argument." };
    case "bad-key": {
      const message = "API key not valid. Please pass a valid API key.";
      return {
        code: 400,
        status: "INVALID_ARGUMENT",
        message,
        details: [
          { "@type": ERROR_INFO, reason: "API_KEY_INVALID", ...SERVICE },
          { "@type": "type.googleapis.com/google.rpc.LocalizedMessage", locale: "en-US", message },
        ],
      };
    }
    case "unauthenticated":
      return {
        code: 401,
        status: "UNAUTHENTICATED",
        message:
          "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
        details: [{ "@type": ERROR_INFO, reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED", ...SERVICE }],
      };
    case "forbidden":
      return {
        code: 403,
        status: "PERMISSION_DENIED",
        message:
          "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      };
    case "not-found":
      return {
        code: 404,
        status: "NOT_FOUND",
        message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      };
    case "quota-minute":
      return quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", 10, model, options.retryAfterMs ?? 37_000);
    case "quota-day":
      return quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", 20, model, options.retryAfterMs ?? 37_000);
    case "quota":
      return {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "Resource has been exhausted (e.g. check quota).",
        ...(options.retryAfterMs ? { details: [retryInfo(options.retryAfterMs)] } : {}),
      };
    case "server":
      return { code: 500, status: "INTERNAL", message: "An internal error has occurred. Please retry or report." };
    case "unavailable":
      return { code: 503, status: "UNAVAILABLE", message: "The model is overloaded. Please try again later." };
  }
}

function quota(quotaId: string, limit: number, model: string, retryAfterMs: number): GoogleError {
  const quotaMetric = "generativelanguage.googleapis.com/generate_content_free_tier_requests";
  const retry = retryAfterMs > 0 ? `\nPlease retry in ${retryAfterMs / 1_000}s.` : "";
  const quotaDimensions = { location: "global", model };
  return {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: `You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: ${quotaMetric}, limit: ${limit}, model: ${model}${retry}`,
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        violations: [{ quotaMetric, quotaId, quotaDimensions, quotaValue: String(limit) }],
      },
      {
        "@type": "type.googleapis.com/google.rpc.Help",
        links: [
          {
            description: "Learn more about Gemini API quotas",
            url: "https://ai.google.dev/gemini-api/docs/rate-limits",
          },
        ],
      },
      ...(retryAfterMs > 0 ? [retryInfo(retryAfterMs)] : []),
    ],
  };
}

function retryInfo(retryAfterMs: number): object {
  return { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfterMs / 1_000}s` };
}
