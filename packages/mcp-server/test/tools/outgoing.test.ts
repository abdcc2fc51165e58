import { ResearchError } from "@x/research";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { connect } from "../support/connect.js";
import { searchReport } from "../support/fake-research.js";

/** What would act where it is shown, each with a mark that tells where it went. */
const HOSTILE =
  "tides \u001b[2J\u009b31m\u0000\b\u202Egnp\u202C\u{E0041}\u{E007F} ![pixel](https://evil.example/p) <script>x</script> [run](javascript:alert(1)) [hold](data:text/html,x)";
const DANGERS =
  /(?![\t\n\r])\p{Cc}|[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]|!\[|<script|\]\((?:javascript|data):/u;

function mustBeSafe(value: unknown, path = "$"): void {
  if (typeof value === "string") {
    expect(value, path).not.toMatch(DANGERS);
    // JSON may hide them in escapes.
    for (const line of value.startsWith("{\n") ? [value] : value.split("\n")) {
      if (line.startsWith("{")) mustBeSafe(JSON.parse(line), `${path}{}`);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      expect(name, path).not.toMatch(DANGERS);
      mustBeSafe(member, `${path}.${name}`);
    }
  }
}

/** What a host would load, run or follow that shows a text as Markdown. */
function actingIn(text: string): string[] {
  const host = new MarkdownIt({ html: true });
  host.validateLink = () => true;
  const tokens = host.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const acts = tokens.filter((token) =>
    token.type === "link_open"
      ? !/^(?:https?|mailto):/.test(String(token.attrGet("href")))
      : /^html_|^image$/.test(token.type),
  );
  return acts.map(({ type }) => type);
}

const hostileReport = (result = `# Tides\n\n${HOSTILE}`) => {
  const report = searchReport(result);
  const { metadata } = report;
  return {
    ...report,
    metadata: {
      ...metadata,
      model: HOSTILE,
      sources_visited: [HOSTILE, "javascript:alert(1)"],
      search_queries_used: [HOSTILE],
      warnings: [HOSTILE],
      [HOSTILE]: HOSTILE,
    },
  };
};

describe.each([{ name: "test" }, { name: "copilot-cli" }, { name: "codex-mcp-client" }])("for $name", (who) => {
  test("nothing acts in an answer, a page, the list, a resource", async () => {
    const { client, research } = await connect(who);
    for (const [tool, input] of [
      ["search", "query"],
      ["deep_research", "topic"],
    ] as const) {
      const call = client.callTool({ name: tool, arguments: { [input]: HOSTILE } });
      await research.hasAsked(research.asked.length + 1);
      const { result, ...older } = hostileReport();
      research.finish(tool === "search" ? hostileReport() : { ...older, report: result });
      const answer = await call;
      expect(JSON.stringify(answer)).toContain("pixel");
      mustBeSafe(answer);
    }
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(2);
    mustBeSafe(resources);
    for (const { uri, name: job_id } of resources) {
      mustBeSafe(await client.readResource({ uri }));
      mustBeSafe(await client.callTool({ name: "research_result", arguments: { job_id, detail: "full", page: 1 } }));
    }
  });

  test("code in one field does not act as text beside another field", async () => {
    const { client, research } = await connect(who);
    const call = client.callTool({ name: "search", arguments: { query: "one ` mark" } });
    await research.hasAsked(1);
    const report = searchReport("Tides.");
    const code = "`![pixel](https://evil.example/p)` and `<img src=x>` and `[run](javascript:x)`";
    const fenced = "~~~\n![pixel](https://evil.example/p)\n~~~";
    research.finish({ ...report, metadata: { ...report.metadata, warnings: [code, fenced] } });
    const { content } = (await call) as { content: { text: string }[] };
    const text = content.map((part) => part.text).join("\n");
    expect(text).toContain("pixel");
    expect(actingIn(text)).toEqual([]);
    const object = text.slice(text.search(/^\{/m));
    expect(JSON.parse(object)).toMatchObject({ metadata: { warnings: [code, fenced] } });
  });

  test("nothing acts in progress, in a running answer, in a failure", async () => {
    const { client, research, log } = await connect({ ...who, maxWaitMs: 200 });
    const heard: unknown[] = [];
    const call = client.callTool({ name: "search", arguments: { query: HOSTILE } }, undefined, {
      onprogress: (progress) => heard.push(progress),
    });
    await research.hasAsked(1);
    research.tell({
      type: "step",
      round: 1,
      step: { type: "tool-call", tool: "google_web_search", id: "1", query: HOSTILE } as never,
    });
    const running = await call;
    expect(JSON.stringify(running)).toContain("running");
    mustBeSafe(running);
    expect(heard.length).toBeGreaterThan(0);
    mustBeSafe(heard);
    research.fail(new ResearchError("EXECUTION_ERROR", HOSTILE, { details: HOSTILE }));
    const [job_id] = /search-[a-z0-9]{10}/.exec(JSON.stringify(running)) ?? [];
    const failed = await client.callTool({ name: "research_result", arguments: { job_id } });
    expect(failed.isError).toBe(true);
    mustBeSafe(failed);
    expect(log.join()).toContain("EXECUTION_ERROR");
  });

  test("nothing acts in what a request is told of itself", async () => {
    const { client } = await connect(who);
    mustBeSafe(await client.callTool({ name: "research_result", arguments: { job_id: HOSTILE.slice(0, 90) } }));
    mustBeSafe(await client.callTool({ name: "search", arguments: { query: "a", [HOSTILE]: 1, recency: HOSTILE } }));
    for (const refused of [
      () => client.readResource({ uri: `report://${HOSTILE}` }),
      () => client.callTool({ name: HOSTILE }),
      () => client.getPrompt({ name: HOSTILE }),
    ]) {
      const { message, data } = (await refused().catch((error: Error) => error)) as { message: string; data?: unknown };
      mustBeSafe([message, data]);
    }
  });
});

test("nothing acts in an error that nobody expected", async () => {
  const { client, jobs } = await connect();
  jobs.look = () => Promise.reject(new Error(HOSTILE));
  const error = await client.readResource({ uri: "report://search-0123456789" }).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining("pixel") });
  mustBeSafe((error as Error).message);
});

test("a code block that is cut into pages becomes no HTML on the next page", async () => {
  const { client, research } = await connect({ name: "codex-mcp-client" });
  const call = client.callTool({ name: "search", arguments: { query: "code" } });
  await research.hasAsked(1);
  research.finish(searchReport(`\`\`\`html\n${"<script>x</script>\n".repeat(2_000)}\`\`\`\n`));
  const { job_id } = (await call).structuredContent as { job_id: string };
  const second = await client.callTool({ name: "research_result", arguments: { job_id, page: 2 } });
  expect(JSON.stringify(second)).toContain("script");
  mustBeSafe(second);
});
