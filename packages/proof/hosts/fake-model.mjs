/** A model on loopback for every host: it does what a plan says, and keeps what the host gave it for each call. */
import { createServer } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { FORMATS } from "./wire-formats.mjs";

/** More turns than any plan needs: a host that goes in circles is ended. */
const MOST_TURNS = 80;
/** How often it looks for a tool that is not offered yet. */
const MOST_LOOKS = 6;

/**
 * @typedef {{ tool: string, args: object }} Wanted A call of one of the server's tools.
 * @typedef {{ asked: Wanted[], told: string[] }} Talk The calls so far, and what the host gave for each.
 * @param {(talk: Talk) => Wanted | undefined} plan `undefined`: the model has what it wants.
 */
export async function startFakeModel(plan) {
  const talk = { asked: [], told: [] };
  const seen = new Set();
  const state = { turns: 0, looks: 0, offered: new Set(), waiting: false };

  /** The next step of the conversation that has the server's tools; a host's own side questions get a word. */
  function step({ tools, results }) {
    for (const { own } of tools) state.offered.add(own);
    for (const { id, text } of results) {
      if (seen.has(id)) continue;
      seen.add(id);
      if (state.waiting) talk.told.push(text);
      state.waiting = false;
    }
    state.turns += 1;
    const wanted = state.turns > MOST_TURNS ? undefined : plan(talk);
    if (wanted === undefined) return { say: "END" };
    const tool = tools.find(({ own }) => own === wanted.tool);
    if (tool === undefined) return look(wanted, tools);
    talk.asked.push(wanted);
    state.waiting = true;
    return { tool, args: wanted.args };
  }

  /** Some hosts name tools only, and give them when they are searched for; some offer them a moment later. */
  function look({ tool: name, args }, tools) {
    const find = (pattern) => tools.find(({ own }) => pattern.test(own));
    const [search, bridge, shell] = [
      /^tool_?search$/i,
      /^tool_call$/,
      /^(?:exec_command|shell|bash|run_shell_command)$/i,
    ].map(find);
    state.looks += 1;
    if (state.looks > MOST_LOOKS) return { say: `END: there is no tool ${name}` };
    const full = `mcp__research__${name}`;
    if (bridge !== undefined && state.looks > 1) {
      talk.asked.push({ tool: name, args });
      state.waiting = true;
      return { tool: bridge, args: { name: full, arguments: args } };
    }
    if (search !== undefined) return { tool: search, args: { query: `select:${full}`, max_results: 5 } };
    if (shell !== undefined) return { tool: shell, args: { cmd: "sleep 2", command: "sleep 2", description: "wait" } };
    return { say: `END: there is no tool ${name}` };
  }

  const server = createServer(async (request, response) => {
    const send = ({ type, text }, status = 200) => response.writeHead(status, { "content-type": type }).end(text);
    const json = (value) => send({ type: "application/json", text: JSON.stringify(value) });
    const body = await readJson(request).catch(() => ({}));
    const url = request.url ?? "";
    if (/count_?tokens/i.test(url)) return json({ input_tokens: 1, totalTokens: 1 });
    if (url.endsWith("/models")) return json({ object: "list", data: [{ id: "fake", object: "model" }] });
    const { format } = FORMATS.find(({ path }) => path.test(url)) ?? {};
    if (format === undefined) return send({ type: "application/json", text: "{}" }, 404);
    const read = format.read(body);
    // A host asks small things beside the conversation, without its tools.
    send(format.write(read.tools.length > 3 ? step(read) : { say: '{"next_speaker":"user"}' }, body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    talk,
    offered: state.offered,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
