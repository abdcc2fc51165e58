/** A ready scenario: a model that researches one topic. */
import { fetchPage, grounded, json, page, search } from "./answers.js";
import type { ModelCall } from "./model-call.js";
import type { Reply, Scenario } from "./scenario.js";

/** A page that the model finds and reads. */
export interface ResearchPage {
  /** Its address. */
  url: string;
  /** Its title. */
  title: string;
  /** What stands there. */
  text: string;
}

/** What the model researches. */
export interface ResearchOptions {
  /** What the report is about. */
  topic: string;
  /** What the model searches. Default: the topic. */
  query?: string;
  /** What it reads. Default: two pages at a public IP literal, which needs no name service. */
  pages?: readonly ResearchPage[];
  /** With prompts that ask for `verified`: after how many rounds it is. Default: 2. */
  verifiedAfter?: number;
}

/**
 * The model searches once, reads the pages, and answers with a report as fenced JSON: `{ success, report, metadata }`,
 * and `verified` when the prompt asks for it. A report says which draft it is; a prompt that carries draft n gets draft
 * n + 1, and from draft `verifiedAfter` on it is verified.
 */
export function research({
  topic,
  query = topic,
  pages = pagesAbout(topic),
  verifiedAfter = 2,
}: ResearchOptions): Scenario {
  return (call) => {
    switch (call.kind) {
      case "main":
        return mainTurn(call);
      case "search":
        return grounded(`Pages about ${call.query}: ${pages.map(({ title }) => title).join("; ")}.`, {
          queries: [call.query ?? query],
          sources: pages,
        });
      case "fetch":
      case "fetch-fallback":
        return page(
          pages
            .filter(({ url }) => call.urls.includes(url))
            .map(({ title, text }) => `# ${title}\n\n${text}`)
            .join("\n\n") || `Nothing stands at ${call.urls.join(", ")}.`,
        );
      default:
        return undefined;
    }
  };

  function mainTurn({ turn, prompt }: ModelCall): Reply {
    if (turn === 0) return search(query);
    if (turn === 1) return pages.map(({ url }) => fetchPage(url));
    const drafts = [...prompt.matchAll(/Draft (\d+) of this report/g)].map(([, n]) => Number(n));
    const draft = 1 + drafts.reduce((a, b) => Math.max(a, b), 0);
    return json({
      success: true,
      ...(/verified/.test(prompt) ? { verified: draft >= verifiedAfter } : {}),
      report: [
        `# ${topic}`,
        ...pages.map(({ title, text, url }, i) => `${text} [${i + 1}](${url} "${title}")`),
        `_Draft ${draft} of this report._`,
      ].join("\n\n"),
      metadata: { sources_visited: pages.map(({ url }) => url), search_queries_used: [query] },
    });
  }
}

function pagesAbout(topic: string): ResearchPage[] {
  return [
    { url: "http://93.184.215.14/overview", title: `${topic}: an overview`, text: `The overview explains ${topic}.` },
    {
      url: "http://93.184.215.14/details",
      title: `${topic}: the details`,
      text: `The details of ${topic} agree with it.`,
    },
  ];
}
