/** Arguments that a tool must not take: the call is refused at once, and nothing is started for it. */
import { must } from "../../fuzz/target.js";
import type { Abuse, Group } from "../ground.js";
import { read } from "../peer.js";
import { mustComplete, mustRefuse } from "./expect.js";

const QUERY = "How high are the tides?";
const MB = 1_000_000;
const MANY = 200_000;

const domains = () => Array.from({ length: MANY }, (_, i) => `d${i}.example`);

type Row = [name: string, sent: string, tool: string, args: () => object];

const REFUSED: readonly Row[] = [
  ["rounds without end", "`max_iterations: 1e9`", "deep_search", () => ({ query: QUERY, max_iterations: 1e9 })],
  ["200,000 domains", "`allowed_domains`", "search", () => ({ query: QUERY, allowed_domains: domains() })],
  ["200,000 blocked domains", "`blocked_domains`", "search", () => ({ query: QUERY, blocked_domains: domains() })],
  ["long domain", "one of 1 MB", "search", () => ({ query: QUERY, allowed_domains: [`${"d".repeat(MB)}.example`] })],
  ["long query", "3 MB", "search", () => ({ query: "tides ".repeat(MB / 2) })],
  ["long topic", "3 MB", "deep_research", () => ({ topic: "tides ".repeat(MB / 2) })],
  ["long query of one line", "3 MB without a blank", "deep_search", () => ({ query: "a".repeat(3 * MB) })],
  ["long language", "1 MB", "search", () => ({ query: QUERY, language: "e".repeat(MB) })],
  ["long model", "1 MB", "search", () => ({ query: QUERY, model: "m".repeat(MB) })],
  ["model that is a flag", "`model: --yolo`", "search", () => ({ query: QUERY, model: "--yolo" })],
  ["long job id", "3 MB", "research_result", () => ({ job_id: "j".repeat(3 * MB) })],
  ["long name of a tool", "1 MB", "t".repeat(MB), () => ({})],
  ["waiting without end", "`wait_seconds: 1e308`", "search", () => ({ query: QUERY, wait_seconds: 1e308 })],
  ["waiting below zero", "`wait_seconds: -1`", "search", () => ({ query: QUERY, wait_seconds: -1 })],
  ["query that is a list", "10,000 words", "search", () => ({ query: Array(10_000).fill("tides") })],
  ["query without a word", "10,000 blanks", "search", () => ({ query: " ".repeat(10_000) })],
];

export const ARGUMENTS: Group = {
  name: "Arguments of a tool",
  abuses: [
    ...REFUSED.map(
      ([name, sent, tool, args]): Abuse => ({
        name,
        sent: `${tool.length > 20 ? "" : `\`${tool}\`: `}${sent}`,
        expected: "refused, with the reason",
        withinMs: 5_000,
        async play({ open, later }) {
          const peer = await open();
          // Whatever is accepted is handed over at once, so that it can be cancelled.
          const answer = await peer.call(tool, { wait_seconds: 0, ...args() });
          if (answer.jobId !== undefined) later(() => peer.call("research_cancel", { job_id: answer.jobId }));
          return mustRefuse(answer);
        },
      }),
    ),
    {
      name: "100,000 unknown arguments",
      sent: "`search` with `k0` … `k99999`",
      expected: "refused or answered",
      withinMs: 5_000,
      async play(ground) {
        const more = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
        const peer = await ground.open();
        const answer = await peer.call("search", { query: ground.question("ok"), ...more });
        return answer.success ? "answered" : mustRefuse(answer);
      },
    },
    {
      name: "deep query",
      sent: "`search`: a list in a list, 100,000 times",
      expected: "refused, with the reason",
      withinMs: 5_000,
      async play({ open }) {
        const peer = await open();
        const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
        // Too deep for this side to write.
        const message = `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{"name":"search","arguments":{"query":${deep}}}}`;
        return mustRefuse(read(await peer.send(message)));
      },
    },
    {
      name: "keys of the prototype",
      sent: "`__proto__`, `constructor` beside `query`",
      expected: "refused or answered; the next call knows nothing of them",
      withinMs: 10_000,
      async play(ground) {
        const peer = await ground.open();
        const polluted = `{"query":${JSON.stringify(ground.question("ok"))},"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}`;
        const id = peer.nextId();
        await peer.send(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"search","arguments":${polluted}}}`,
        );
        const answer = await peer.call("search", { query: ground.question("ok") });
        mustComplete(answer);
        must(!answer.reply.text.includes("polluted"), () => "it stands in the next answer");
        return "the next call is clean";
      },
    },
    {
      name: "query with control characters",
      sent: "ESC, C1, a direction override and tag characters in `query`",
      expected: "refused or answered without them",
      withinMs: 10_000,
      async play(ground) {
        const peer = await ground.open();
        const query = `${ground.question("ok")} \u001B[2J\u009B31m\u202Etxt\u{E0041}\u{E0042}`;
        const answer = await peer.call("search", { query });
        return answer.success ? "answered" : mustRefuse(answer);
      },
    },
    {
      name: "half characters",
      sent: "`query` with 10,000 lone surrogates",
      expected: "refused or answered",
      withinMs: 10_000,
      async play(ground) {
        const peer = await ground.open();
        const answer = await peer.call("search", { query: ground.question("ok") + "\uD800".repeat(10_000) });
        return answer.success ? "answered" : mustRefuse(answer);
      },
    },
  ],
};
