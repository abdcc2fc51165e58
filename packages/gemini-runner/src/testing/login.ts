/** The ways of signing in, as far as a server on loopback can play them. */
import type { ServerResponse } from "node:http";
import { sendJson } from "./reply-writer.js";

/**
 * - `api-key`: a key of Google AI Studio
 * - `vertex`: Vertex AI with an API key
 * - `enterprise`: a Google login with Code Assist Standard or Enterprise
 * - `enterprise-without-previews`: the same, of a company that lets nobody use preview models; the CLI then asks for other
 *   models than it is told to
 * - `individual`: a Google login of a person, which Google no longer serves through this CLI
 */
export type Login = "api-key" | "vertex" | "enterprise" | "enterprise-without-previews" | "individual";

export function loginEnvironment(login: Login, url: string): Record<string, string> {
  return { ...variables(login, url), NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" };
}

function variables(login: Login, url: string): Record<string, string> {
  switch (login) {
    case "api-key":
      return { GEMINI_API_KEY: "local-model-server", GOOGLE_GEMINI_BASE_URL: url };
    case "vertex":
      return {
        GOOGLE_GENAI_USE_VERTEXAI: "true",
        GOOGLE_API_KEY: "local-model-server",
        GOOGLE_VERTEX_BASE_URL: url,
      };
    case "enterprise":
    case "enterprise-without-previews":
    case "individual":
      return { GOOGLE_GENAI_USE_GCA: "true", GOOGLE_CLOUD_ACCESS_TOKEN: login, CODE_ASSIST_ENDPOINT: url };
  }
}

/** Google's answer to an individual's login since 2026-06-18. */
const INELIGIBLE = {
  ineligibleTiers: [
    {
      reasonCode: "UNSUPPORTED_CLIENT",
      reasonMessage:
        "This client is no longer supported for Gemini Code Assist for individuals. To continue using Gemini, please migrate to the Antigravity suite of products: https://antigravity.google",
      tierId: "free-tier",
      tierName: "Gemini Code Assist for individuals",
    },
  ],
};
const ENTERPRISE = {
  currentTier: { id: "standard-tier", name: "Gemini Code Assist" },
  cloudaicompanionProject: "local-model-server",
};

/** The models an account may use; those with a name that ends in `preview` among them or not. */
const quotaOf = (models: readonly string[]) => ({
  buckets: models.map((modelId) => ({ modelId, remainingFraction: 1, tokenType: "REQUESTS" })),
});
const STABLE = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"];

/** Answers what a Google login asks about the account before it asks the model. */
export function answerAccount(path: string, authorization: string | undefined, response: ServerResponse): void {
  if (!path.includes("/v1internal:")) {
    sendJson(response, 404, { error: { code: 404, message: "Not found.", status: "NOT_FOUND" } });
  } else if (path.endsWith(":loadCodeAssist")) {
    sendJson(response, 200, authorization === "Bearer individual" ? INELIGIBLE : ENTERPRISE);
  } else if (path.endsWith(":retrieveUserQuota")) {
    const previews = authorization === "Bearer enterprise" ? ["gemini-3-pro-preview", "gemini-3-flash-preview"] : [];
    sendJson(response, 200, quotaOf([...STABLE, ...previews]));
  } else {
    sendJson(response, 200, {});
  }
}
