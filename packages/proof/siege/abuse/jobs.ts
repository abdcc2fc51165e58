/** Researches that belong to somebody else, and names of ones that are not there. */
import { must } from "../../fuzz/target.js";
import type { Abuse, Ground, Group } from "../ground.js";
import type { Peer } from "../peer.js";
import { counted, inParallel, mustComplete } from "./expect.js";

/** Ways to ask about a research, each with its name in the request. */
const WAYS: readonly [name: string, ask: (peer: Peer, job: string, id: string) => Promise<string>][] = [
  [
    "`research_result`",
    async (peer, job_id, id) => (await peer.call("research_result", { job_id, wait_seconds: 0 }, { id })).reply.text,
  ],
  [
    "`research_result`, page 2",
    async (peer, job_id, id) =>
      (await peer.call("research_result", { job_id, page: 2, wait_seconds: 0 }, { id })).reply.text,
  ],
  [
    "`research_cancel`",
    async (peer, job_id, id) => (await peer.call("research_cancel", { job_id }, { id })).reply.text,
  ],
  [
    "`resources/read`",
    async (peer, job, id) => (await peer.request("resources/read", { uri: `report://${job}` }, { id })).reply.text,
  ],
];

const ODD_NAMES = [
  "",
  "..",
  "../../../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "/etc/passwd",
  "search-../../x",
  "jobs/..",
  "search-0000000000.json",
  "search-0000000000\0",
  "__proto__",
  "constructor",
  "*",
  "--help",
  "$(id)",
];

export const JOBS: Group = {
  name: "Researches of others",
  abuses: [
    ...WAYS.map(
      ([name, ask]): Abuse => ({
        name: `the person's research by ${name}`,
        sent: "the id of a research that was made in the terminal",
        expected: "byte for byte what an unknown id answers",
        withinMs: 5_000,
        async play(ground) {
          const peer = await ground.open();
          const theirs = (await ask(peer, ground.person.id, "same")).replaceAll(ground.person.id, "ID");
          const unknown = unknownLike(ground.person.id);
          const nobodys = (await ask(peer, unknown, "same")).replaceAll(unknown, "ID");
          must(theirs === nobodys, () => `theirs: ${theirs.slice(0, 160)} … nobody's: ${nobodys.slice(0, 160)}`);
          return "the same";
        },
      }),
    ),
    {
      name: "the person's research in the list",
      sent: "`resources/list`, every page",
      expected: "not there",
      withinMs: 5_000,
      async play({ open, person }) {
        const peer = await open();
        let cursor: unknown;
        let listed = 0;
        do {
          const { answer } = await peer.request("resources/list", cursor === undefined ? {} : { cursor });
          const result = answer?.["result"] as { resources: unknown[]; nextCursor?: unknown } | undefined;
          must(result !== undefined, () => `no list: ${JSON.stringify(answer).slice(0, 120)}`);
          must(!JSON.stringify(result).includes(person.id), () => "it is listed");
          listed += result?.resources.length ?? 0;
          cursor = result?.nextCursor;
        } while (cursor !== undefined);
        return `${listed} others`;
      },
    },
    {
      name: "the person's question",
      sent: "`search` with the words of a research that was made in the terminal",
      expected: "a research of its own",
      withinMs: 10_000,
      async play({ open, person, runsOf }) {
        const peer = await open();
        const before = (await runsOf(person.question)).started;
        const answer = await peer.call("search", { query: person.question });
        mustComplete(answer);
        must(answer.jobId !== person.id, () => "the person's job was joined");
        const started = (await runsOf(person.question)).started - before;
        // Asked again, the caller's own report may serve.
        must(started === 1 || before > 1, () => "the person's report was handed over");
        return "its own";
      },
    },
    {
      name: "500 guessed ids",
      sent: "`research_result` with ids of the right shape",
      expected: "the same words for each",
      withinMs: 20_000,
      async play(ground) {
        const peer = await ground.open();
        const ids = Array.from({ length: 500 }, () => unknownLike(ground.person.id));
        const answers = await inParallel(ids, 10, async (job_id) => {
          const id = `request-${job_id}`;
          const { reply } = await peer.call("research_result", { job_id, wait_seconds: 0 }, { id });
          return reply.text.replaceAll(job_id, "ID");
        });
        must(new Set(answers).size === 1, () => counted(answers).slice(0, 300));
        return "all the same";
      },
    },
    {
      name: "odd ids",
      sent: "paths, NUL, keys of the prototype, flags, as `job_id` and as `report://…`",
      expected: "an error that names no file",
      withinMs: 10_000,
      play: askOddly,
    },
  ],
};

async function askOddly({ open, sandbox }: Ground): Promise<string> {
  const peer = await open();
  const codes: string[] = [];
  for (const name of ODD_NAMES) {
    for (const tool of ["research_result", "research_cancel"]) {
      const { code, success, reply } = await peer.call(tool, { job_id: name, wait_seconds: 0 });
      must(!success && code !== undefined, () => `${tool} ${JSON.stringify(name)} is answered`);
      mustNameNothing(reply.text, sandbox, name);
      codes.push(String(code));
    }
    const { reply, answer } = await peer.request("resources/read", { uri: `report://${name}` });
    must(answer?.["result"] === undefined, () => `report://${JSON.stringify(name)} is answered`);
    mustNameNothing(reply.text, sandbox, name);
  }
  return counted(codes);
}

function mustNameNothing(text: string, sandbox: string, name: string): void {
  must(!text.includes("root:"), () => `${JSON.stringify(name)}: a file was read`);
  must(!text.includes(sandbox), () => `${JSON.stringify(name)}: the answer names a folder: ${text.slice(0, 200)}`);
}

/** An id of the same shape that nobody has. */
function unknownLike(id: string): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const [kind = "search", rest = ""] = id.split(/-(?=[^-]*$)/);
  const made = Array.from(rest, () => letters[Math.floor(Math.random() * letters.length)]).join("");
  return `${kind}-${made}`;
}
