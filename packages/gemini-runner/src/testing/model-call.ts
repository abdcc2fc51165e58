/** One request of the CLI, read: what it asks for and where in the conversation it stands. */

/**
 * What a request is for:
 * - `main`: the agent's own turn, answered with text or tool calls
 * - `search`, `fetch`: the inner call of `google_web_search`, `web_fetch`
 * - `fetch-fallback`: `web_fetch` again, with page texts that the CLI fetched itself
 * - `classifier`: which model is to answer (only without `--model`)
 * - `loop-check`, `next-speaker`: the CLI's questions about its own conversation
 * - `countTokens`, `embed`: these methods of the API
 * - `other`: any other request for one whole answer (compression, summaries …)
 */
export type ModelCallKind =
  | "main"
  | "search"
  | "fetch"
  | "fetch-fallback"
  | "classifier"
  | "loop-check"
  | "next-speaker"
  | "countTokens"
  | "embed"
  | "other";

/** The parts of Google's request format that are read here; `body` holds all of it. */
export interface ModelRequestBody {
  /** The conversation so far. */
  contents?: ModelContent[];
  /** The system prompt. */
  systemInstruction?: ModelContent;
  /** What the model may use: functions of the CLI, Google's search, Google's reading of pages. */
  tools?: { functionDeclarations?: { name: string }[]; googleSearch?: object; urlContext?: object }[];
  /** How the model is to answer: temperature, thoughts, the schema of a JSON answer. */
  generationConfig?: { responseJsonSchema?: JsonSchema; responseSchema?: JsonSchema; [key: string]: unknown };
  [key: string]: unknown;
}

/** A JSON Schema, as far as it is read here. */
interface JsonSchema {
  /** The schemas of the keys. */
  properties?: Record<string, unknown>;
}

/** One message of the conversation. */
export interface ModelContent {
  /** `user` or `model`. */
  role?: string;
  /** What it holds, in order. */
  parts?: ModelPart[];
}

/** One piece of a message. */
export interface ModelPart {
  /** Words. */
  text?: string;
  /** These are thoughts, not words of the answer. */
  thought?: boolean;
  /** A call of a tool, which the model makes. */
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> };
  /** What a tool gave. */
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> };
  [key: string]: unknown;
}

/** A request as a scenario sees it. */
export interface ModelCall {
  /** What it is for. */
  kind: ModelCallKind;
  /** Which API is spoken; `code-assist` is what a Google login speaks. */
  api: "gemini" | "vertex" | "code-assist";
  /** Name in the address: `gemini-2.5-flash`. */
  model: string;
  /** `streamGenerateContent`, `generateContent` … */
  method: string;
  /** How many times the model has spoken since the last real user message: 0 for the first answer to a prompt. */
  turn: number;
  /** How many requests of this kind came before this one. */
  index: number;
  /**
   * Text of the last real user message, byte for byte: tool results and the CLI's own opening message are not one. The
   * parts of a message are joined without a separator.
   */
  prompt: string;
  /** With `search`: what is searched. */
  query?: string;
  /** With `fetch` and `fetch-fallback`: the pages. Otherwise empty. */
  urls: string[];
  /** What the model's tool calls of the last turn gave. */
  toolResults: { name: string; response: Record<string, unknown> }[];
  /** Names of the tools the model may call. */
  tools: string[];
  /** System prompt, or an empty string. */
  system: string;
  /** All of it, as it came. */
  body: ModelRequestBody;
  /** Size of the request's body in bytes. */
  bytes: number;
  /** When it came, in ms since the epoch, with fractions. */
  at: number;
  /** Its HTTP headers, by names in lower case. */
  headers: Record<string, string | string[] | undefined>;
}

/** The opening message that the CLI writes before the prompt. */
const SESSION_CONTEXT = /^\s*(<session_context>|This is the Gemini CLI\. We are setting up the context)/;

export interface ArrivedRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  raw: Buffer;
  at: number;
}

/** Reads a request; `undefined` when it asks nothing of a model. */
export function readModelCall(
  request: ArrivedRequest,
  indexOf: (kind: ModelCallKind) => number,
): ModelCall | undefined {
  const body = (request.raw.length === 0 ? {} : JSON.parse(request.raw.toString("utf8"))) as ModelRequestBody;
  const address = addressOf(request.path, body);
  return address && readBody(address, request, indexOf);
}

interface Address {
  api: ModelCall["api"];
  model: string;
  method: string;
  body: ModelRequestBody;
}

function addressOf(path: string, body: ModelRequestBody): Address | undefined {
  const [, model, method] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
  if (model !== undefined && method !== undefined) {
    return { api: path.includes("/publishers/") ? "vertex" : "gemini", model: decodeURIComponent(model), method, body };
  }
  const [, inner] = /\/v1internal:((?:streamG|g)enerateContent|countTokens)$/.exec(path) ?? [];
  if (inner === undefined) return undefined;
  const { model: name, request } = body as { model?: string; request?: ModelRequestBody & { model?: string } };
  const full = name ?? request?.model ?? "";
  return { api: "code-assist", model: full.replace(/^models\//, ""), method: inner, body: request ?? {} };
}

function readBody(
  { api, model, method, body }: Address,
  request: ArrivedRequest,
  indexOf: (kind: ModelCallKind) => number,
): ModelCall {
  const contents = body.contents ?? [];
  const last = contents.findLastIndex(isPrompt);
  const prompt = (contents[last]?.parts ?? [])
    .map((part) => (isSessionContext(part) ? "" : (part.text ?? "")))
    .join("");
  const kind = kindOf(method, body, prompt);
  const results = contents.at(-1)?.parts ?? [];
  return {
    kind,
    api,
    model,
    method,
    turn: contents.slice(last + 1).filter((content) => content.role === "model").length,
    index: indexOf(kind),
    prompt,
    ...(kind === "search" ? { query: prompt } : {}),
    urls: kind === "fetch" || kind === "fetch-fallback" ? urlsOf(prompt) : [],
    toolResults: results.flatMap(({ functionResponse }) =>
      functionResponse ? [{ name: functionResponse.name ?? "", response: functionResponse.response ?? {} }] : [],
    ),
    tools: (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []).map((tool) => tool.name),
    system: (body.systemInstruction?.parts ?? []).map((part) => part.text ?? "").join(""),
    body,
    bytes: request.raw.length,
    at: request.at,
    headers: request.headers,
  };
}

function isSessionContext(part: ModelPart): boolean {
  return SESSION_CONTEXT.test(part.text ?? "");
}

function isPrompt(content: ModelContent): boolean {
  const parts = content.parts ?? [];
  return (
    (content.role ?? "user") === "user" &&
    !parts.some((part) => part.functionResponse) &&
    parts.some((part) => part.text !== undefined && !isSessionContext(part))
  );
}

function kindOf(method: string, body: ModelRequestBody, prompt: string): ModelCallKind {
  if (method === "countTokens") return "countTokens";
  if (/embed/i.test(method)) return "embed";
  // Settings can give tools to it too.
  if (method === "generateContent" && FETCHED_PAGES.test(prompt)) return "fetch-fallback";
  const [searches, reads] = [
    body.tools?.some((tool) => tool.googleSearch),
    body.tools?.some((tool) => tool.urlContext),
  ];
  // Settings can give both tools to both calls; then the words that `web_fetch` puts around its pages tell.
  if (reads && (!searches || listedPages(prompt) !== undefined)) return "fetch";
  if (searches) return "search";
  const asked = answerKeys(body);
  if (asked.includes("complexity_score") || asked.includes("model_choice")) return "classifier";
  if (asked.includes("next_speaker")) return "next-speaker";
  if (asked.includes("unproductive_state_confidence") || asked.join() === "reasoning,confidence") return "loop-check";
  if (method === "streamGenerateContent") return "main";
  return "other";
}

/** Keys of the JSON object that the request asks for, when it asks for one. */
export function answerKeys({ generationConfig = {} }: ModelRequestBody): string[] {
  const schema = generationConfig.responseJsonSchema ?? generationConfig.responseSchema;
  return Object.keys(schema?.properties ?? {});
}

/** The words that `web_fetch` puts before the texts of the pages that the CLI has fetched itself. */
const FETCHED_PAGES = /I was unable to access the URL/;

/** What is between the marks that newer CLIs put around the pages of a `web_fetch`. `undefined`: it has none. */
function listedPages(prompt: string): string | undefined {
  const [start, end] = ["<authorized_urls>", "</authorized_urls>"];
  const from = prompt.indexOf(start);
  const to = prompt.lastIndexOf(end);
  return from === -1 || to < from ? undefined : prompt.slice(from + start.length, to);
}

/** Newer CLIs list the pages they may read after the user's words; older ones send the words alone. */
function urlsOf(prompt: string): string[] {
  const listed = listedPages(prompt) ?? prompt;
  return [...new Set(listed.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [])];
}
