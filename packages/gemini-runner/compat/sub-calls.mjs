// Which tools the requests behind a search and a page read are given: with every kind of model and login, by a process each
// and by one process for all.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { fetchPage, grounded, page, search, startModelServer, text } from "@x/gemini-runner/testing";

/** A model of each kind: named, aliases, a name that some versions take for another, a preview, the CLI's own choice. */
export const MODELS = ["gemini-2.5-pro", "flash", "pro", "gemini-2.5-flash", "gemini-3-flash-preview", undefined];
/** With the last the CLI asks for other models than it is told to. */
export const LOGINS = ["api-key", "enterprise", "enterprise-without-previews"];

/** What each kind of request is to be given: the last reads what the CLI has fetched by itself. */
const EXPECTED = { search: [{ googleSearch: {} }], fetch: [{ urlContext: {} }], "fetch-fallback": null };

const UNREAD = { retrievedUrl: "x", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" };

/** All that is said for a run bears its number. */
const numberIn = (value) => Number(/task-(\d+)-/.exec(JSON.stringify(value))?.[1]);

function scenario({ kind, turn, body }) {
  const n = numberIn(body);
  if (kind === "search") return grounded(`Found task-${n}-.`);
  // Google could not read it: the CLI does.
  if (kind === "fetch") return page("", [UNREAD]);
  if (kind !== "main") return undefined;
  return turn === 0 ? [search(`task-${n}-`), fetchPage(`http://93.184.215.${14 + n}/task-${n}-`)] : text("Done.");
}

/** A proxy that answers for all pages. */
async function startPages() {
  const sockets = new Set();
  const pages = createServer((request, response) => response.end(`The moon pulls: ${request.url}.`));
  const proxy = createServer().on("connect", ({ url }, client) => {
    // 0.35 and 0.40 come here for the model server too, whatever NO_PROXY says.
    const own = /^127\.0\.0\.1:(\d+)$/.exec(url)?.[1];
    const upstream = connect(own ?? pages.address().port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}));
  });
  const servers = [pages, proxy];
  await Promise.all(servers.map((server) => new Promise((done) => server.listen(0, "127.0.0.1", done))));
  const url = `http://127.0.0.1:${proxy.address().port}`;
  return {
    env: { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: "127.0.0.1" },
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
}

/** One run with each kind of model by one login: what was wrong with each, by its number. */
async function play({ command, parent, signal, login, pool }) {
  const folder = await mkdtemp(path.join(parent, "sub-calls-"));
  const [server, pages] = [await startModelServer({ scenario }), await startPages()];
  const env = { PATH: process.env["PATH"], HOME: folder, ...pages.env, ...server.envFor(login) };
  const wrong = MODELS.map(() => []);
  const limits = { retries: 0, timeoutMs: 120_000, maxConcurrent: 2 };
  const onWarning = (message) => wrong[0].push(message);
  const runner = createGeminiRunner({ command, cwd: folder, env, ...limits, pool, onWarning });
  const pids = new Set();
  try {
    const runs = MODELS.map(async (model, n) => {
      const request = { prompt: `This is task-${n}-.`, model, signal };
      const onEvent = (event) => {
        if (event.type === "run-start") pids.add(event.pid);
        if (event.type === "warning") wrong[n].push(event.message);
      };
      const { text } = await resultOf(runner.run(request), onEvent);
      if (text !== "Done.") wrong[n].push(text);
    });
    for (const [n, { status, reason }] of (await Promise.allSettled(runs)).entries()) {
      if (status === "rejected") wrong[n].push(`${reason.reason ?? reason.code}: ${reason.message}`);
      for (const [kind, tools] of Object.entries(EXPECTED)) {
        const calls = server.requests.filter((call) => call.kind === kind && numberIn(call.body) === n);
        const given = JSON.stringify(calls.map(({ body }) => body.tools ?? null));
        if (given !== JSON.stringify([tools])) wrong[n].push(`${kind} ${given}`);
      }
    }
  } finally {
    await runner.close();
    pages.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  if (pool && pids.size !== 1) wrong[0].push(`${pids.size} processes`);
  return MODELS.map((model, n) => ({ model: model ?? "no model", login, pool, wrong: wrong[n] }));
}

/** Every kind of model by every login, without a pool and in one. */
export async function subCalls(command, parent, signal) {
  const all = [];
  for (const pool of [false, true]) {
    for (const login of LOGINS) all.push(...(await play({ command, parent, signal, login, pool })));
  }
  return all;
}

/** How many of them are right, and which are not. */
export function toCell(all, pool) {
  const played = all.filter((each) => each.pool === pool);
  const wrong = played.filter((each) => each.wrong.length > 0);
  const named = wrong.map(({ model, login }) => `**${model} by ${login}**`);
  return [`${played.length - wrong.length} of ${played.length}`, ...named].join(", ");
}
