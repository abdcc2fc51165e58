import { callTool, grounded, json, type ModelCall, type Scenario, search as searching } from "@x/gemini-runner/testing";
import { HOST, startProxy, startSite } from "./servers.js";

/** A page of the public internet, by its number: the proxy answers for it. */
export const PAGE = `http://${HOST}/lake`;
export const HTML = `<!doctype html><title>Lake Vessin</title><h1>Lake Vessin</h1>
<p>Lake Vessin covers an area of 212&nbsp;square kilometres. Its water is cold.</p>`;

/** What the page says, but for the number. */
export const sentence = (area: number) => `Lake Vessin covers an area of ${area} square kilometres.`;

const answer = (area: number, verified: boolean) =>
  json({
    success: true,
    verified,
    report: `The lake has ${area} km² [1](${PAGE}).`,
    metadata: { sources_visited: [PAGE], search_queries_used: ["lake"] },
    claims: [{ text: sentence(area), sources: [{ url: PAGE, quote: sentence(area) }], status: "supported" }],
    // For those who ask for data.
    data: { area: String(area) },
    data_claims: { "/area": 1 },
  });

const readPage = (args: object = {}) => callTool("mcp_pages_read_page", { url: PAGE, ...args });

/** A model that searches, reads and says what the page says. */
export const quoting: Scenario = (call) => {
  if (call.kind === "search") return grounded("A lake.", { sources: [{ url: PAGE, title: HOST }] });
  return call.kind === "main" ? ([searching("lake"), readPage()][call.turn] ?? answer(212, true)) : undefined;
};

/** A model that misquotes a number in the first round, and in the next one says what the page says. */
export function misquoting(onMain: (call: ModelCall) => void = () => {}): Scenario {
  return (call) => {
    if (call.kind === "search") return grounded("A lake.", { sources: [{ url: PAGE, title: HOST }] });
    if (call.kind !== "main") return undefined;
    onMain(call);
    return call.prompt.includes("# Verify and update")
      ? ([searching("lake area"), readPage({ find: "area" })][call.turn] ?? answer(212, true))
      : ([searching("lake"), readPage()][call.turn] ?? answer(221, false));
  };
}

/** The website behind a proxy on loopback, as the variables that name it. */
export async function startWebsite(page: (path: string) => string = () => HTML) {
  const site = await startSite(({ url = "" }, response) => {
    const text = page(url);
    response.setHeader("content-type", text.startsWith("{") ? "application/json" : "text/html").end(text);
  });
  return { site, ...(await startProxy(site)) };
}
